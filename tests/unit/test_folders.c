/* Folders of results: the names of their hosts, and the machine that each belongs to.
 * SPDX-License-Identifier: MIT */
#include "base/folder.h"
#include "query/hosts.h"
#include "results/owner.h"
#include "folder_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static void check_names(const char *const folders[], const char *const names[])
{
    struct hosts hosts = {0};
    size_t count = 0;
    for (; folders[count]; count++)
        assert_null(hosts_add(&hosts, folders[count]));
    for (count = 0; names[count]; count++) {
        assert_true(count < hosts.count);
        assert_string_equal(hosts.host[count].name, names[count]);
    }
    assert_int_equal(hosts.count, count);
    hosts_free(&hosts);
}

TEST(a_host_is_named_after_its_folder)
{
    check_names((const char *[]){"data/local", "data/h200/", "/elsewhere/a b_c%", NULL},
                (const char *[]){"local", "h200", "a-b-c-", NULL});
}

TEST(two_folders_of_one_name_stay_apart)
{
    check_names((const char *[]){"elsewhere/h200", "data/h200", NULL},
                (const char *[]){"elsewhere-h200", "h200", NULL});
    check_names((const char *[]){"/a/h200", "/b/h200", "/b/h200/", NULL}, (const char *[]){"a-h200", "b-h200", NULL});
    check_names((const char *[]){"/s1/data/local", "/s10/data/local", "/s2/data/local", NULL},
                (const char *[]){"s1-data-local", "s10-data-local", "s2-data-local", NULL});
    check_names((const char *[]){"/x/b/h200", "/y/b/h200", "/y/b-h200", NULL},
                (const char *[]){"x-b-h200", "y-b-h200", "b-h200", NULL});
    check_names((const char *[]){"/a/b", "/x/a/b", "/x-a-b", "/x-a/b", NULL},
                (const char *[]){"a-b", "x-a-b-1", "x-a-b-2", "x-a-b-3", NULL});
}

TEST(the_tables_of_the_sources_are_no_host)
{
    struct hosts hosts = {0};
    assert_non_null(hosts_add(&hosts, "data/published"));
    assert_non_null(hosts_add(&hosts, "data/published/"));
    assert_int_equal(hosts.count, 0);
}

/* The tests that follow name files as they lie in the folder. */
FIXTURE(enter_folder)
{
    return make_folder(state) || chdir(folder);
}
#define TEST_INSIDE(name) TEST_AROUND(name, enter_folder, remove_folder)

TEST_INSIDE(a_folder_belongs_to_one_machine)
{
    char why[2048];
    assert_true(owner_allows("nowhere", "aa", "this one", why, sizeof why));
    mkdir("host", 0777);
    assert_true(owner_allows("host", "aa", "this one", why, sizeof why));
    put("host/x.results.csv", "experiment,reason,machine_hash,settings_hash\r\nx,\"a,\nb\",aa,ss\r\n");
    put("host/y.results.csv", "experiment,reason,machine_hash,settings_hash\r\n");
    assert_true(owner_allows("host", "aa", "this one", why, sizeof why));
    assert_false(owner_allows("host/", "bb", "this one", why, sizeof why));
    /* A skipped row says nothing of the machine. */
    mkdir("skipped", 0777);
    put("skipped/x.results.csv", "experiment,status,machine_hash\r\nx,skipped,aa\r\n");
    assert_true(owner_allows("skipped", "bb", "this one", why, sizeof why));
    put("skipped/x.results.csv", "experiment,status,machine_hash\r\nx,skipped,cc\r\nx,ok,aa\r\n");
    assert_true(owner_allows("skipped", "aa", "this one", why, sizeof why));
    assert_false(owner_allows("skipped", "bb", "this one", why, sizeof why));
    assert_non_null(strstr(why, "x.results.csv"));
    assert_non_null(strstr(why, "this one"));
    put("host/x.run.json", "{\"machine\": {\"fingerprint\": \"aa\", \"cpu_model\": \"Abacus\", \"cores\": 3},"
                           " \"gpu\": {\"name\": \"Loom\"}}\n");
    assert_false(owner_allows("host", "bb", "this one", why, sizeof why));
    assert_non_null(strstr(why, "(Abacus, 3 cores, Loom)"));

    assert_return_code(rename("host", "local"), 0);
    assert_true(owner_allows("local", "bb", "this one", why, sizeof why));
    assert_true(owner_allows("./local//", "bb", "this one", why, sizeof why));
    assert_return_code(chdir("local"), 0);
    assert_true(owner_allows(".", "bb", "this one", why, sizeof why));
    assert_return_code(chdir(".."), 0);
    assert_return_code(rename("local", "published"), 0);
    assert_false(owner_allows("published", "aa", "this one", why, sizeof why));
}

TEST_INSIDE(physical_machines_are_counted_by_their_marks)
{
    assert_int_equal(owner_number("nowhere", "aaaaaaaa"), 1);
    mkdir("host", 0777);
    /* Rows of older programs have no number. */
    put("host/w.results.csv", "experiment,reason\nw,\n");
    assert_int_equal(owner_number("host", "aaaaaaaa"), 1);
    put("host/x.results.csv", "experiment,machine_number,machine_mark\nx,,\nx,1,aaaaaaaa\nx,3,cccccccc\n");
    put("host/y.archive.csv", "experiment,machine_number,machine_mark\ny,2,bbbbbbbb\n");
    assert_int_equal(owner_number("host", "aaaaaaaa"), 1);
    assert_int_equal(owner_number("host", "bbbbbbbb"), 2);
    assert_int_equal(owner_number("host", "cccccccc"), 3);
    assert_int_equal(owner_number("host", "dddddddd"), 4);
    assert_int_equal(owner_number("host", ""), 0);
}

TEST_INSIDE(the_last_file_of_a_pattern_is_found)
{
    char path[64];
    put("lib/a/x.so.1", "\n");
    put("lib/b/x.so.1", "\n");
    put("lib/b/x.so.2", "\n");
    mkdir("lib/c", 0755);
    assert_true(folder_match("lib/*/x.so.1", path, sizeof path));
    assert_string_equal(path, "lib/b/x.so.1");
    assert_true(folder_match("lib/b/x.so.[0-9]", path, sizeof path));
    assert_string_equal(path, "lib/b/x.so.2");
    assert_true(folder_match("lib/a/x.so.1", path, sizeof path));
    assert_string_equal(path, "lib/a/x.so.1");
    assert_false(folder_match("lib/c/*", path, sizeof path));
    assert_false(folder_match("nowhere/*", path, sizeof path));
    assert_false(folder_match("lib/*/x.so.1", path, 8));
}
