#[=[
FindUnknot: tests of MPI programs that run under unknot.

    find_package(MPI REQUIRED)
    find_package(Unknot)
    unknot_add_test(NAME halo NUMPROCS 4 COMMAND halo input.txt)

Sets Unknot_FOUND, Unknot_EXECUTABLE, and Unknot_VERSION if unknot has been built from a release.

    unknot_add_test(NAME name NUMPROCS n COMMAND target-or-program [argument …]
                    [OPTIONS option-of-unknot-run …] [LABELS label …] [WORKING_DIRECTORY dir])

adds a test as add_test does, which starts so many ranks with MPIEXEC_EXECUTABLE (and MPIEXEC_NUMPROC_FLAG, MPIEXEC_PREFLAGS and
MPIEXEC_POSTFLAGS) under unknot. It fails if the program fails, or by a finding. It has the label unknot and those that are given,
counts as n processors, and saves its result as name.json and, for JUnit, name.xml in the directory UNKNOT_REPORTS, which is unknot in
the build directory unless it is set. If another directory has a test of this name, it is name-2. The variable UNKNOT_OPTIONS has options
for all tests. If unknot is not found, the test runs without it.
]=]

find_program(Unknot_EXECUTABLE unknot HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" DOC "unknot, which tests run under")
mark_as_advanced(Unknot_EXECUTABLE)
if(Unknot_EXECUTABLE)
    execute_process(COMMAND "${Unknot_EXECUTABLE}" version OUTPUT_VARIABLE unknot_says ERROR_QUIET)
    if(unknot_says MATCHES "unknot v?([0-9]+\\.[0-9]+(\\.[0-9]+)?)")
        set(Unknot_VERSION "${CMAKE_MATCH_1}")
    endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Unknot REQUIRED_VARS Unknot_EXECUTABLE VERSION_VAR Unknot_VERSION)

function(unknot_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;NUMPROCS;WORKING_DIRECTORY" "COMMAND;OPTIONS;LABELS")
    foreach(needed NAME NUMPROCS COMMAND)
        if(NOT test_${needed})
            message(FATAL_ERROR "unknot_add_test: no ${needed}; hint: unknot_add_test(NAME halo NUMPROCS 4 COMMAND halo)")
        endif()
    endforeach()
    if(test_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "unknot_add_test(NAME ${test_NAME}): unknown words ${test_UNPARSED_ARGUMENTS}; hint: arguments of the program follow it after COMMAND")
    endif()
    if(test_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "unknot_add_test(NAME ${test_NAME}): nothing follows ${test_KEYWORDS_MISSING_VALUES}; hint: give it a value, or leave it out")
    endif()
    if(NOT test_NUMPROCS MATCHES "^[1-9][0-9]*$")
        message(FATAL_ERROR "unknot_add_test(NAME ${test_NAME}): NUMPROCS ${test_NUMPROCS} must be a number of 1 or more")
    endif()
    if(NOT MPIEXEC_EXECUTABLE)
        message(FATAL_ERROR "unknot_add_test(NAME ${test_NAME}): MPIEXEC_EXECUTABLE is not set; hint: find_package(MPI REQUIRED) before it")
    endif()
    list(POP_FRONT test_COMMAND program)
    if(TARGET "${program}")
        set(program "$<TARGET_FILE:${program}>")
    endif()
    set(under)
    if(Unknot_FOUND)
        if(NOT UNKNOT_REPORTS)
            set(UNKNOT_REPORTS "${CMAKE_BINARY_DIR}/unknot")
        endif()
        file(MAKE_DIRECTORY "${UNKNOT_REPORTS}")
        # Names of tests are unique in a directory only, and those of files have fewer characters.
        string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" name "${test_NAME}")
        set(file "${name}")
        set(number 1)
        get_property(files GLOBAL PROPERTY UNKNOT_TEST_FILES)
        while(file IN_LIST files)
            math(EXPR number "${number} + 1")
            set(file "${name}-${number}")
        endwhile()
        set_property(GLOBAL APPEND PROPERTY UNKNOT_TEST_FILES "${file}")
        set(under "${Unknot_EXECUTABLE}" run --report "${UNKNOT_REPORTS}/${file}.json" --report "${UNKNOT_REPORTS}/${file}.xml"
            ${UNKNOT_OPTIONS} ${test_OPTIONS})
    endif()
    if(NOT test_WORKING_DIRECTORY)
        set(test_WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    endif()
    add_test(NAME "${test_NAME}" WORKING_DIRECTORY "${test_WORKING_DIRECTORY}"
        COMMAND ${under} ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${test_NUMPROCS} ${MPIEXEC_PREFLAGS} ${program} ${MPIEXEC_POSTFLAGS} ${test_COMMAND})
    list(PREPEND test_LABELS unknot)
    set_tests_properties("${test_NAME}" PROPERTIES LABELS "${test_LABELS}" PROCESSORS "${test_NUMPROCS}")
endfunction()
