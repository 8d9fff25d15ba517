// Package report turns the result of a run into something to read: text for a terminal, one HTML file, or JSON.
//
// It takes a finding.Run and knows nothing of how it was found. Everything is ordered by content first, so that the
// same findings print the same whatever order parallel work delivered them in; ranks that do the same fold into one
// line, so that a report on 4,096 ranks is as short as one on four.
package report
