package attach

import (
	"time"

	"unknot/internal/attach/judge"
	"unknot/internal/attach/look"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Ended is what is known of a job that has ended with a status other than 0, by the records of its ranks; nil if all
// have called MPI_Finalize.
func Ended(records []*record.Rank, argv []string, started time.Time, status int, version string) *finding.Run {
	resolver := symbol.New()
	defer resolver.Close()
	calls, modules := uint64(0), []string(nil)
	for _, r := range records {
		modules = append(modules, symbol.ParseMaps(0, r.Modules).Modules()...)
		calls += r.Completed
	}
	resolver.Own(ownersOf(modules))
	j := judge.Records(&look.Looker{Resolver: resolver}, records)
	run := &finding.Run{Schema: finding.Schema, Unknot: version, Command: argv, Exit: status, Ranks: j.Size(),
		Complete: true, Calls: calls, Start: started.Format(time.RFC3339), Seconds: time.Since(started).Seconds(),
		Findings: j.Ended(status)}
	if len(run.Findings) == 0 {
		return nil
	}
	run.MPI = mpi.LibraryName(records[0].Library)
	return run
}
