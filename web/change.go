package web

import (
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// update changes the memory of the address's id. If the form has a field version and the memory has
// been changed since, it fails with errChanged.
func (v *visit) update(u remember.UpdateRequest) (remember.UpdateResult, error) {
	scope, err := v.scope()
	if err != nil {
		return remember.UpdateResult{}, err
	}
	u.ID = v.r.PathValue("id")
	return v.site.o.Memories.UpdateIf(v.context(), scope, u, memory.SourceUser, func(r memory.Record) error {
		if expected := v.field("version"); expected != "" && version(r) != expected {
			return errChanged
		}
		return nil
	})
}

// editMemory replaces the text of a memory. With a field valid_from the new text holds from that
// day on.
func (s *Site) editMemory(v *visit) (answer, error) {
	content, id := v.field("content"), v.r.PathValue("id")
	result, err := v.edited(id, content)
	if memory.CodeOf(err) == memory.CodeConflict {
		return v.conflict(id, content)
	}
	if err != nil {
		return nil, err
	}
	said := "Saved. The old text is history."
	if result == id {
		said = "It says that already."
	}
	return v.done(strings.Replace(v.back(Root+"/memory/"+result), "open="+id, "open="+result, 1), said, "")
}

// edited saves a new text for a memory and returns the id of the memory that holds now. That is id
// itself if the text is the same as before.
func (v *visit) edited(id, content string) (string, error) {
	from := v.field("valid_from")
	if from == "" {
		result, err := v.update(remember.UpdateRequest{Content: &content})
		return result.ID, err
	}
	day, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return "", memory.Errorf(memory.CodeInvalidArgument, "%q is no date", memory.Shorten(from, 40)).WithHint("a day such as 2026-03-01")
	}
	f, err := v.one(id)
	if err != nil {
		return "", err
	}
	if version(f.Record) != v.field("version") {
		return "", errChanged
	}
	scope, err := v.scopeOf(f.Project)
	if err != nil {
		return "", err
	}
	result, err := v.site.o.Memories.Save(v.context(), scope, remember.SaveRequest{
		Content: content, Kind: f.Kind, Supersedes: id, ValidFrom: day, Source: memory.SourceUser,
		Tags: f.Tags, Importance: &f.Importance, Pinned: f.Pinned, KindDetails: f.KindDetails,
	})
	return result.ID, err
}

// changeDetails changes category, project, importance and tags of a memory.
func (s *Site) changeDetails(v *visit) (answer, error) {
	id := v.r.PathValue("id")
	var u remember.UpdateRequest
	if category := v.field("category"); category != "" {
		u.Category = &category
	}
	if project := v.field("project"); project != v.field("was in") {
		u.Project = &project
	}
	if given := v.field("importance"); given != "" {
		importance, err := strconv.ParseFloat(given, 64)
		if err != nil {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "importance is %q", memory.Shorten(given, 40)).
				WithHint("a number from 0 to 1")
		}
		u.Importance = &importance
	}
	tags := []string{}
	for tag := range strings.SplitSeq(v.field("tags"), ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	u.Tags = &tags
	if _, err := v.update(u); memory.CodeOf(err) == memory.CodeConflict {
		return v.conflict(id, "")
	} else if err != nil {
		return nil, err
	}
	return v.done(v.back(Root+"/memory/"+id), "Saved.", "")
}

// pinMemory pins a memory, or unpins it if the field pinned is empty.
func (s *Site) pinMemory(v *visit) (answer, error) {
	pinned := v.field("pinned") != ""
	if _, err := v.update(remember.UpdateRequest{Pinned: &pinned}); err != nil {
		return nil, err
	}
	said := "Pinned: it does not fade."
	if !pinned {
		said = "No longer pinned."
	}
	return v.done(v.back(Root+"/memory/"+v.r.PathValue("id")), said, "")
}

// forgetMemory archives a memory, which can be undone.
func (s *Site) forgetMemory(v *visit) (answer, error) {
	result, err := v.forget(remember.ForgetRequest{IDs: []string{v.r.PathValue("id")}, Reason: "forgotten on the page"})
	if err != nil {
		return nil, err
	}
	return v.done(v.back(Root+"/memory/"+v.r.PathValue("id")), "Forgotten.", result.UndoID)
}

// eraseMemory erases a memory for good. The form's check box "sure" is required.
func (s *Site) eraseMemory(v *visit) (answer, error) {
	if v.field("sure") == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "erasing needs the tick beside \"I am sure\"").
			WithHint("go back and set it, or forget the memory instead")
	}
	if _, err := v.forget(remember.ForgetRequest{IDs: []string{v.r.PathValue("id")}, Permanent: true, Confirm: true}); err != nil {
		return nil, err
	}
	return v.done(Root+"/memories", "Erased for good.", "")
}

func (v *visit) forget(f remember.ForgetRequest) (remember.ForgetResult, error) {
	scope, err := v.scope()
	if err != nil {
		return remember.ForgetResult{}, err
	}
	return v.site.o.Memories.Forget(v.context(), scope, f)
}
