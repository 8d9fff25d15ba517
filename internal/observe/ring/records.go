// Code generated from internal/observe/ring/records.tsv; DO NOT EDIT.

package ring

// Kinds of records.
const (
	// fills the slots before the end of the ring, so that the next record is in one piece
	Pad Kind = 0
	// a call begins: the arguments that the function's row in functions.tsv says
	Enter Kind = 1
	// a call has returned something: the results that the function's row says
	Exit Kind = 2
	// the first words of the next Enter, Exit or Data record of this ring, which is too long for one record; the
	// stamp is already that record's
	Part Kind = 3
	// what a process says of itself; Func is the DataID
	Data Kind = 4
	// the records that follow repeat those in the slots before this one, and are counted in RingHeader.Folded
	// instead of written
	Fold Kind = 5
	// the repetition has ended
	Unfold Kind = 6
)

// Data records.
const (
	// the first record of a process: who it is
	DataHello DataID = 1
	// the constants of this MPI library
	DataConst DataID = 2
	// the predefined datatypes and their sizes; follows Const
	DataType DataID = 3
	// a communicator; follows the Exit record of the call that created it, and is written once for each predefined
	// one
	DataComm DataID = 4
	// a function of MPI that has no row in functions.tsv; before its first Enter record
	DataName DataID = 5
	// a call stack of Python; before the first record with the site
	DataSite DataID = 6
	// the thread waits for another in pthread_join
	DataJoin DataID = 7
	// pthread_join has returned
	DataJoined DataID = 8
	// the thread has started another
	DataThread DataID = 9
	// the thread has ended; a later thread may use the ring
	DataThreadEnd DataID = 10
	// where code is in memory
	DataMaps DataID = 11
	// an exception of Python that nothing caught
	DataExcept DataID = 12
	// a window
	DataWin DataID = 13
	// a thread uses the ring of one that has ended
	DataThreadBegin DataID = 14
	// whether a plan is in force (EnvPlan); at most once a process
	DataPlan DataID = 15
	// a plan chooses the source of the next call's receive from MPI_ANY_SOURCE
	DataForced DataID = 16
	// a plan has created a persistent request again, for the next call
	DataRemade DataID = 17
	// what the thread has done of its part of a plan; before its end or its MPI_Finalize, unless the plan was
	// followed to its end
	DataUnused DataID = 18
	// what MPI said when it was initialised; the site is that of the call. Once a process
	DataLimits DataID = 19
	// the predefined datatypes that have a size; follows Type
	DataBasics DataID = 20
	// the next call passes a null pointer where MPI reads or writes; C only
	DataNull DataID = 21
	// what the error code of the next Exit record means
	DataError DataID = 22
	// the thread's stack
	DataStack DataID = 23
	// the part of the thread's stack in which, at the next Enter record, no frame is left
	DataBelow DataID = 24
	// the memory of a buffer of the next call
	DataMemory DataID = 25
	// memory was freed since the last Enter record of any thread
	DataFreed DataID = 26
	// the data of a pending send differs from what it was at the start; before the Exit record of the call that
	// completes it
	DataChanged DataID = 27
	// the poll of the last Enter record found nothing; before the next record if it was repeated, and before its
	// Exit record
	DataPolled DataID = 28
	// a plan makes the next call wait for requests, for which it would otherwise not wait, or only for any of them
	DataOutcome DataID = 29
	// a plan completes a send of the next call at once
	DataBuffered DataID = 30
	// the program itself accessed memory of a pending operation, or of another thread's blocking call, since the
	// last Enter record of the thread
	DataTouched DataID = 31
	// a rank's part of the shared memory of the window that the last call created, if accesses are recorded
	DataShared DataID = 32
	// the program itself accessed memory of a window, since the last Enter record of the thread
	DataAccessed DataID = 33
	// since its last Enter record the thread may have learned of other ranks otherwise than by MPI
	DataExternal DataID = 34
	// an object was created, and committed, as it was before; how it is created has a number from now on. The site
	// is that of the commit, if there is one
	DataKnown DataID = 35
	// an object was created, and committed, once more; no records are written of these calls. The site is that of
	// the call that freed another one before
	DataAgain DataID = 36
	// what the process exchanged with others otherwise than by MPI; before its MPI_Finalize, if EnvHeed is set
	DataInteraction DataID = 37
	// how MPI is initialised
	DataSessions DataID = 38
	// the process's neighbours in a communicator with a distributed graph; follows its Comm record
	DataNeighbours DataID = 39
	// the callers of a function that calls MPI; before the first site with the number in the ring
	DataCallers DataID = 40
	// an array of Python that the next call is passed
	DataArray DataID = 41
	// an exception of Python that the process caught, or is handling, since its last call
	DataCaught DataID = 42
	// what the thread certainly knows of the process's threads by what they do to each other otherwise than by MPI,
	// if that is followed and has changed; before its next call
	DataOrder DataID = 43
	// in which order the process's threads do things is not followed; before the first call
	DataUnfollowed DataID = 44
	// memory that calls of any thread were given was freed, or was the stack of a thread that has ended, since the
	// last such record of the thread; before a call that is given memory, if the order of threads is followed
	DataReused DataID = 45
)

// InteractionKind says how a process interacted with others; Dir is added for directories.
type InteractionKind uint64

// Values of InteractionKind.
const (
	// with another process, by a signal or by a socket
	InteractionProcess InteractionKind = 1
	// a file was read, or found to exist
	InteractionRead InteractionKind = 2
	// a file did not exist
	InteractionMissing InteractionKind = 3
	// a file or other path was created, replaced or removed
	InteractionWrote InteractionKind = 4
	// the program asked for the time
	InteractionTime InteractionKind = 5
	// the program asked for random numbers
	InteractionRandom InteractionKind = 6
	// there is more than there was room for
	InteractionFull InteractionKind = 7
	// the path is a directory
	InteractionDir InteractionKind = 256
)

// AccessHow says by bits how the program accessed memory; in C they are those of csrc/objects/access.h.
type AccessHow uint64

// Values of AccessHow.
const (
	// it is a store
	AccessStore AccessHow = 1
	// it is atomic or volatile
	AccessOrders AccessHow = 2
	// whether it is that is unknown
	AccessVague AccessHow = 4
)

// MemoryState says what the memory of a buffer is.
type MemoryState uint64

// Values of MemoryState.
const (
	// a block of the heap
	MemoryBlock MemoryState = 1
	// a former block, which has not been allocated again
	MemoryFreed MemoryState = 2
	// the part of the thread's stack where no frame is left
	MemoryBelow MemoryState = 3
)

// ArrayKind says what object an array of an interpreter is.
type ArrayKind uint64

// Values of ArrayKind.
const (
	// an ndarray
	ArrayOfNumPy ArrayKind = 1
	// an array.array
	ArrayOfModule ArrayKind = 2
	// bytes, or a bytearray
	ArrayOfBytes ArrayKind = 3
	// a memoryview
	ArrayView ArrayKind = 4
	// an mmap
	ArrayMapped ArrayKind = 5
)

// FreedHow says what freed memory.
type FreedHow uint64

// Values of FreedHow.
const (
	// `free`
	FreedFree FreedHow = 1
	// `realloc`
	FreedRealloc FreedHow = 2
	// `munmap`
	FreedUnmap FreedHow = 3
)

// Indexes of words in records; Fixed is how many have one.
const (
	FoldPeriod             = 0
	FoldStep               = 1
	FoldCount              = 2
	FoldFixed              = 3
	UnfoldCount            = 0
	UnfoldFixed            = 1
	DataHelloRank          = 0
	DataHelloSize          = 1
	DataHelloLevel         = 2
	DataHelloTagUB         = 3
	DataHelloPython        = 4
	DataHelloLibrary       = 5
	DataHelloFixed         = 6
	DataTypeHandle         = 0
	DataTypeSize           = 1
	DataTypeFixed          = 2
	DataCommHandle         = 0
	DataCommKind           = 1
	DataCommLocal          = 2
	DataCommFixed          = 3
	DataNameID             = 0
	DataNameName           = 1
	DataNameFixed          = 2
	DataSiteSite           = 0
	DataSiteFrames         = 1
	DataSiteFixed          = 2
	DataJoinThread         = 0
	DataJoinFixed          = 1
	DataThreadIndex        = 0
	DataThreadFixed        = 1
	DataMapsText           = 0
	DataMapsFixed          = 1
	DataExceptKind         = 0
	DataExceptFixed        = 1
	DataWinHandle          = 0
	DataWinComm            = 1
	DataWinFixed           = 2
	DataThreadBeginIndex   = 0
	DataThreadBeginTID     = 1
	DataThreadBeginFixed   = 2
	DataPlanWhy            = 0
	DataPlanFixed          = 1
	DataForcedPosition     = 0
	DataForcedSource       = 1
	DataForcedTag          = 2
	DataForcedFixed        = 3
	DataRemadeFrom         = 0
	DataRemadeTo           = 1
	DataRemadeFixed        = 2
	DataUnusedReceives     = 0
	DataUnusedDecided      = 1
	DataUnusedSends        = 2
	DataUnusedNamed        = 3
	DataUnusedChoices      = 4
	DataUnusedUnmet        = 5
	DataUnusedFixed        = 6
	DataLimitsTagUB        = 0
	DataLimitsRequired     = 1
	DataLimitsProvided     = 2
	DataLimitsPredefined   = 3
	DataLimitsInit         = 4
	DataLimitsFixed        = 5
	DataBasicsHandle       = 0
	DataBasicsSize         = 1
	DataBasicsExtent       = 2
	DataBasicsAlignment    = 3
	DataBasicsFixed        = 4
	DataNullFunc           = 0
	DataNullParam          = 1
	DataNullFixed          = 2
	DataErrorFunc          = 0
	DataErrorClass         = 1
	DataErrorText          = 2
	DataErrorFixed         = 3
	DataStackRangeFrom     = 0
	DataStackRangeTo       = 1
	DataStackFixed         = 2
	DataBelowRangeFrom     = 0
	DataBelowRangeTo       = 1
	DataBelowFixed         = 2
	DataMemoryParam        = 0
	DataMemoryState        = 1
	DataMemoryRangeFrom    = 2
	DataMemoryRangeTo      = 3
	DataMemoryFreed        = 4
	DataMemoryFixed        = 5
	DataFreedRangeFrom     = 0
	DataFreedRangeTo       = 1
	DataFreedHow           = 2
	DataFreedSite          = 3
	DataFreedFixed         = 4
	DataChangedSentFunc    = 0
	DataChangedSentSite    = 1
	DataChangedStartedFunc = 2
	DataChangedStartedSite = 3
	DataChangedOffset      = 4
	DataChangedLength      = 5
	DataChangedBytes       = 6
	DataChangedGaps        = 7
	DataChangedWords       = 8
	DataChangedFixed       = 9
	DataPolledMisses       = 0
	DataPolledFixed        = 1
	DataOutcomePositions   = 0
	DataOutcomeFixed       = 1
	DataBufferedPosition   = 0
	DataBufferedFixed      = 1
	DataTouchedAt          = 0
	DataTouchedBytes       = 1
	DataTouchedStore       = 2
	DataTouchedSite        = 3
	DataTouchedThread      = 4
	DataTouchedInside      = 5
	DataTouchedFixed       = 6
	DataSharedWin          = 0
	DataSharedMember       = 1
	DataSharedAt           = 2
	DataSharedBytes        = 3
	DataSharedFixed        = 4
	DataAccessedAt         = 0
	DataAccessedBytes      = 1
	DataAccessedN          = 2
	DataAccessedStride     = 3
	DataAccessedHow        = 4
	DataAccessedSite       = 5
	DataAccessedThread     = 6
	DataAccessedFixed      = 7
	DataExternalAlways     = 0
	DataExternalFixed      = 1
	DataKnownNumber        = 0
	DataKnownHandle        = 1
	DataKnownFunc          = 2
	DataKnownFixed         = 3
	DataAgainNumber        = 0
	DataAgainFreed         = 1
	DataAgainFunc          = 2
	DataAgainFixed         = 3
	DataInteractionKind    = 0
	DataInteractionChanged = 1
	DataInteractionDev     = 2
	DataInteractionIno     = 3
	DataInteractionSite    = 4
	DataInteractionFunc    = 5
	DataInteractionFixed   = 6
	DataSessionsAlone      = 0
	DataSessionsFixed      = 1
	DataNeighboursHandle   = 0
	DataNeighboursSources  = 1
	DataNeighboursFixed    = 2
	DataCallersNumber      = 0
	DataCallersPCs         = 1
	DataCallersFixed       = 2
	DataArrayParam         = 0
	DataArrayKind          = 1
	DataArrayRangeFrom     = 2
	DataArrayRangeTo       = 3
	DataArrayWholeFrom     = 4
	DataArrayWholeTo       = 5
	DataArrayFormat        = 6
	DataArrayFixed         = 7
	DataCaughtKind         = 0
	DataCaughtFixed        = 1
	DataOrderReturned      = 0
	DataOrderFixed         = 1
	DataUnfollowedBy       = 0
	DataUnfollowedFixed    = 1
	DataReusedTimes        = 0
	DataReusedFixed        = 1
)
