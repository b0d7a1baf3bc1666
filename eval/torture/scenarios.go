package main

import "context"

// scenario is one way to torture the program.
type scenario struct {
	name string
	play func(ctx context.Context, r *round) error // an error: it could not be played
}

// scenarios are all of them, in the order of the table.
var scenarios = []scenario{
	{"saves", playSaves},
	{"import", playImport},
	{"bundle", playBundle},
	{"erase", playErase},
	{"backup", playBackup},
	{"restore", playRestore},
	{"migration", playMigration},
	{"damage", playDamage},
	{"full", playFull},
	{"versions", playVersions},
	{"clock", playClock},
	{"stream", playStream},
}
