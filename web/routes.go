package web

import (
	"net/http"

	"mcp-memory/access"
)

// table lists every address. A POST changes something unless its route has reads set.
func (s *Site) table() []route {
	const get, post = http.MethodGet, http.MethodPost
	return []route{
		{method: get, path: "/assets/{name}", free: true, answer: s.asset},
		{method: get, path: "/enter/{code}", free: true, answer: s.enter},
		{method: get, path: "/sign-in", free: true, answer: s.signIn},
		{method: post, path: "/sign-in", free: true, answer: s.signedIn},
		{method: get, path: "/issuer", free: true, answer: s.askIssuer},
		{method: get, path: "/callback", free: true, answer: s.fromIssuer},
		{method: post, path: "/sign-out", reach: access.NoBank, reads: true, unaudited: true, answer: s.signOut},
		{method: post, path: "/project", reach: access.Projects, reads: true, unaudited: true, answer: s.chooseProject},
		{method: get, path: "/events", reach: access.Projects, idle: true, answer: s.events},
		{method: post, path: "/undo", reach: access.Projects, answer: s.undo},

		{method: get, path: "/{$}", reach: access.NoBank, answer: s.home},
		{method: get, path: "/memories", reach: access.Projects, answer: s.memories},
		{method: get, path: "/search", reach: access.Projects, answer: s.search},

		{method: get, path: "/review", answer: s.review},
		{method: post, path: "/review/{id}", answer: s.settle},
		{method: get, path: "/told", reach: access.Projects, answer: s.told},
		{method: get, path: "/timeline", reach: access.Projects, answer: s.timeline},
		{method: get, path: "/work", reach: access.Projects, answer: s.work},
		{method: get, path: "/plans", answer: s.plans},
		{method: post, path: "/plans/todo", answer: s.addTodo},
		{method: post, path: "/plans/todo/{id}", answer: s.changeTodo},
		{method: post, path: "/plans/todo/{id}/tick", answer: s.tick},
		{method: post, path: "/plans/event", answer: s.addEvent},
		{method: post, path: "/plans/event/{id}", answer: s.changeEvent},
		{method: post, path: "/plans/event/{id}/remove", answer: s.dropEvent},

		{method: get, path: "/conversations", answer: s.conversations},
		{method: get, path: "/people", answer: s.people},

		{method: get, path: "/files", answer: s.files},
		{method: post, path: "/files", answer: s.writeFile},

		{method: get, path: "/sharing", answer: s.sharing},
		{method: post, path: "/sharing", answer: s.askFor},
		{method: post, path: "/sharing/{id}/share", answer: s.share},
		{method: post, path: "/sharing/{id}/decline", answer: s.decline},
		{method: post, path: "/sharing/{id}/revoke", answer: s.revoke},

		{method: get, path: "/health", answer: s.health},
		{method: get, path: "/settings", answer: s.settings},
		{method: post, path: "/health/examine", reads: true, unaudited: true, answer: s.examine},
		{method: post, path: "/health/backup", answer: s.backup},
		{method: get, path: "/banks", reach: access.AllBanks, answer: s.banks},

		{method: get, path: "/memory/{id}", reach: access.Projects, answer: s.memory},
		{method: post, path: "/memory/{id}/edit", reach: access.Projects, answer: s.editMemory},
		{method: post, path: "/memory/{id}/details", reach: access.Projects, answer: s.changeDetails},
		{method: post, path: "/memory/{id}/pin", reach: access.Projects, answer: s.pinMemory},
		{method: post, path: "/memory/{id}/forget", reach: access.Projects, answer: s.forgetMemory},
		{method: post, path: "/memory/{id}/erase", reach: access.Projects, answer: s.eraseMemory},
	}
}
