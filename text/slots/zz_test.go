package slots
import ("testing";"fmt")
func TestZZ(t *testing.T){
 for _,x:=range []string{"The user works as a nurse at the Haukeland hospital.","The user switched jobs: now the user works as a teacher at the Storetveit school.","I switched jobs: now I work as a teacher at the Storetveit school.","I work as a teacher now.","The user's name is Ada Kern.","My name is Ada Kern.","I'm Ada.","I am Ada Kern.","Call me Ada.","The user is called Ada Kern.","User is Ada Kern, a nurse.","The user is Ada.","User: Ada Kern, 29, pilot.","Name: Ada Kern","I am tired.","I'm Norwegian.","My name was Ada Berg.","I changed my name to Ada Holm.", "The user is named Ada.","User name: Ada","I go by Ada.","My full name is Ada Maria Kern.","My first name is Ada."} {
  fmt.Println(x)
  for _,s:=range Read(x,Options{}) { fmt.Printf("   %+v\n",s) }
 }
 fmt.Println(Between(Read("The user works as a nurse at the Haukeland hospital.",Options{}),Read("The user switched jobs: now the user works as a teacher at the Storetveit school.",Options{})))
 n:=Options{UserNames:[]string{"Ada Kern"}}
 for _,x:=range []string{"Ada moved to Bergen.","Ada Kern lives in Oslo.","Kern lives in Oslo","Ada's sister lives in Oslo.","Ada Lovelace lives in Oslo","My sister Ada lives in Oslo","Frau Kern wohnt in Oslo","Ms Kern lives in Oslo.","The Ada language is old.","Yesterday Ada moved to Oslo","Ada and Tom live in Oslo", "ada lives in Oslo"}{
  fmt.Println(x)
  for _,s:=range Read(x,n) { fmt.Printf("   %+v\n",s) }
 }
 for _,x:=range []string{"Where does Ada live?","What is Ada Kern's job?","Who is Ada?","What do you know about Ada?","Where do I live?","Where does Ada's sister live?","Where does Ada Lovelace live?"}{
  fmt.Printf("%s\n   %+v\n",x,Ask(x,n))
 }
 n=Options{UserNames:[]string{"Will Rose","Mark","Hope","Rose"}}
 for _,x:=range []string{"Will moved to Bergen.","The rose is red.","Rose lives in Oslo","Rose prices rise.","Mark the date.","Hope is what drives me.","Hope you are well.","Will is a legal document.","Rose wine is my favourite.","My favourite flower is the rose","The mark is 5.","Roses live in gardens.","Mark lives in Oslo.","I hope to move to Oslo.","We will move to Oslo.","Will lives in Oslo","Hope lives in Bergen","The hope lives in Bergen.", "a mark costs 2 euros","the rose costs 5 euros","Rose gold is the color of my phone."}{
  fmt.Println(x)
  for _,s:=range Read(x,n) { fmt.Printf("   %+v\n",s) }
 }
 for _,x:=range []string{"Where does the rose grow?","Will I move?","Where does Rose live?","Where will I live?","When will the package arrive?","What is the mark?","Did I hope for it?","Will the house be sold?","Where does Will live?"}{
  fmt.Printf("%s\n   %+v\n",x,Ask(x,n))
 }
}
