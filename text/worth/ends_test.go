package worth_test

import (
	"testing"

	"mcp-memory/text/worth"
)

// Pairs of a rule or a task and what was said later, by which it is over.
var over = [][2]string{
	{"The user wants the assistant to always run the full e2e suite before pushing.", "The user: You don't have to run the e2e suite before pushing anymore, CI does it."},
	{"The user wants the assistant not to use emojis.", "The user: Emojis are fine again."},
	{"The user wants the assistant to never use tabs.", "Tabs are ok now."},
	{"The user wants the assistant to never push to main directly.", "Pushing to main is ok from now on."},
	{"The user wants the assistant to do this: from now on answer in one sentence.", "The user: You may answer longer again."},
	{"The user wants the assistant to always run the linter before committing.", "Stop running the linter before committing, the hook does that."},
	{"The user wants the assistant not to touch main until the release is out.", "Release is out, main is free again."},
	{"The user wants the assistant to always use pnpm.", "The user wants the assistant to use bun instead of pnpm from now on."},
	{"Use semicolons in TypeScript.", "No semicolons from now on, the user and others switched to biome defaults."},
	{"End every answer with a TL;DR.", "The user wants the assistant to use no more TL;DRs."},
	{"Antworte immer auf Deutsch.", "The user: du kannst wieder auf Englisch antworten"},
	{"The user and others still need to write the migration guide.", "The migration guide is written."},
	{"The user wants the assistant to never deploy on Fridays.", "The user allows the assistant to deploy on Fridays again."},
	{"The user wants the assistant not to deploy anything.", "The user allows the assistant to deploy again."},
	{"Ask the user before each deploy.", "The user no longer wants the assistant to ask before each deploy."},
	{"The user wants the assistant not to use the new scheduler until Priya has signed off.", "Priya signed off on the scheduler."},
	{"The user still has to send the invoice to Meyer.", "The invoice to Meyer is sent."},
	{"Never amend commits.", "Amending commits is allowed again."},
	{"Always answer in French.", "The user: English is fine again."},
	{"Keine Deploys am Freitag.", "Deploys am Freitag sind wieder erlaubt."},
	{"Pas de déploiement le vendredi.", "Le déploiement le vendredi est de nouveau autorisé."},
	{"Nooit deployen op vrijdag.", "Deployen op vrijdag is weer toegestaan."},
	{"Hay que pedir permiso.", "Ya no hace falta pedir permiso."},
	{"Don't call customers on weekends.", "The user: You can call customers on weekends again."},
	{"The user wants the assistant to add a changelog entry to each pull request.", "There is no need to add a changelog entry any more."},
	{"Don't run database migrations.", "Database migrations are ok again."},
	{"Never rebase shared branches.", "The user: you can rebase shared branches again, the freeze is over"},
	{"Keep your answers short.", "The user: Longer answers are okay again."},
	{"The user wants the assistant to use yarn.", "Use npm instead of yarn."},
	{"Always squash commits before merging.", "Don't squash commits before merging anymore."},
	{"We still have to rotate the signing keys.", "The signing keys have been rotated."},
	{"The user needs to book the flight to Lisbon.", "The user booked the flight to Lisbon."},
	{"Don't merge dependency updates until the audit is finished.", "The audit is finished."},
	{"Verwende keine Emojis.", "Emojis sind wieder erlaubt."},
	{"Führe vor jedem Commit den Linter aus.", "Der Linter ist vor dem Commit nicht mehr nötig."},
	{"Do not edit the generated files.", "Editing generated files is fine now."},
	{"The user wants the assistant to never mention prices.", "The user: you may mention prices again"},
	{"The user and others decided to use MongoDB.", "The user and others decided against MongoDB, it's Postgres now."},
	{"The user and others decided to use Terraform for the infra.", "Scrap Terraform, the user and others are going with Pulumi."},
	{"Agreed: use Redis for the queue.", "The user: let's ditch Redis for the queue"},
	{"Agreed: use Redis for the queue.", "The user: we abandoned Redis"},
	{"The user and others chose Helm.", "The user and others decided against Helm after all."},
	{"The user and others decided to use pnpm.", "The user and others decided to use bun instead of pnpm."},
	{"Write docstrings in every function.", "No more docstrings please."},
}

// Pairs of which the second leaves the first as it is.
var stands = [][2]string{
	{"The user wants the assistant to run CI before each push.", "CI is fine now."},
	{"Never deploy on Fridays.", "The deploy on Friday went fine."},
	{"The user wants the assistant not to use emojis.", "The emoji picker is done."},
	{"Always use pnpm.", "Use bun instead of pnpm in the docs folder from now on."},
	{"Never push to main directly.", "Main is fine again."},
	{"The user wants the assistant to run the tests before each push.", "Tests are ok again."},
	{"Use tabs in Makefiles.", "Tabs are ok now."},
	{"The user and others still need to write the migration guide.", "The migration is done."},
	{"The user and others still need to write the migration guide.", "The migration guide template is finished."},
	{"Don't touch main until the release is out.", "The release notes are out."},
	{"Don't touch main until the release is out.", "The release is not out yet."},
	{"Always run the e2e suite before pushing.", "You don't have to run the e2e suite for documentation changes anymore."},
	{"Never push on Fridays.", "This Friday it's ok to push."},
	{"Never commit without running the linter.", "Run the linter before committing."},
	{"Don't deploy to the staging server.", "The staging server is fine now."},
	{"Answer in German.", "The German translation is fine again."},
	{"The user wants the assistant to never deploy on Mondays.", "The user allows the assistant to deploy on Fridays again."},
	{"Don't use emojis in commit messages.", "Customers can use emojis in the chat again."},
	{"Never deploy on Fridays.", "Never deploy on Fridays again."},
	{"Don't call customers on weekends.", "Customers can call on weekends now."},
	{"Don't restart the worker until the import is done.", "The importer is done."},
	{"The user has to call Anna.", "Anna called the user."},
	{"The user needs to renew the domain.", "The domain is not renewed yet."},
	{"The user needs to rotate the signing keys every month.", "The signing keys are rotated."},
	{"The user needs to renew the domain.", "The domain is not renewed."},
	{"Run the tests before each push.", "The tests don't run anymore."},
	{"Use tabs.", "Tabs are ok now."},
	{"Never push unless the tests pass.", "Pushing tests is ok again."},
	{"Use npm workspaces.", "Use yarn instead of npm."},
	{"Never skip the tests.", "The tests are fine again."},
	{"Always squash commits before merging.", "Just this once you don't have to squash commits before merging."},
	{"Don't merge dependency updates until the audit is finished.", "The audit will be finished next week."},
	{"The user still has to pay the electricity bill.", "The gas bill is paid."},
	{"The user needs to book the flight to Lisbon.", "The user booked a hotel in Lisbon."},
	{"Never write to the production database.", "The production database is ok again."},
	{"Always ask before deleting files.", "You can delete files again."},
	{"Answer in English.", "Don't answer in German anymore."},
	{"Keep answers short.", "Longer meetings are okay again."},
	{"Use emojis in release notes.", "No emojis in commit messages."},
	{"Never use lodash.", "You don't have to use lodash anymore."},
	{"Do not edit the generated files.", "If the generator breaks, editing generated files is fine."},
	{"Run the formatter on Go files.", "You don't have to run the formatter on vendored files anymore."},
	{"Don't book flights before 9.", "The flights are booked."},
	{"Never use npm.", "Use bun instead of npm."},
	{"Always deploy with Helm.", "Don't deploy."},
	{"Never log the metrics and the traces of the shop.", "You don't have to log metrics any more."},
	{"Always run the e2e suite before pushing.", "You don't have to push anymore."},
	{"The user has to renew the passport.", "The passport office is closed now."},
	{"The user and others decided to use MongoDB.", "The user and others decided against MongoDB Atlas."},
	{"The user and others decided to use Postgres instead of MongoDB.", "The user and others decided against MongoDB."},
	{"The user and others decided to move from MongoDB to Postgres.", "The user and others decided against MongoDB."},
	{"The user and others decided to drop MongoDB.", "The user and others decided against MongoDB."},
	{"The user and others decided to use Redis and Kafka.", "The user and others decided against Kafka."},
	{"The user and others decided against Kafka.", "The user and others decided to use Kafka Streams."},
	{"Never use Terraform.", "Scrap Terraform."},
	{"Scrap the old reports every month.", "The reports are fine again."},
}

// TestEnds: a rule is over if something said later is about it, and only then.
func TestEnds(t *testing.T) {
	for want, pairs := range map[bool][][2]string{true: over, false: stands} {
		for _, pair := range pairs {
			if got := worth.Ends(pair[1], pair[0]); got != want {
				t.Errorf("%q ends %q: %v", pair[1], pair[0], got)
			}
		}
	}
}

// TestSparedIsNoTask: what nobody has to do any more is not open.
func TestSparedIsNoTask(t *testing.T) {
	for text, want := range map[string]bool{
		"You don't have to run the e2e suite before pushing anymore.": false, "Olu has to run the e2e suite before pushing.": true,
	} {
		if got := worth.Of(text, said).Sort == worth.Task; got != want {
			t.Errorf("%q is a task: %v", text, got)
		}
	}
}
