/* Machine code as text: the loop that multiplies most is found in what each tool prints.
 * SPDX-License-Identifier: MIT */
#include "inspect/assembly_listing.h"
#include "test.h"

#include "base/memory.h"

typedef struct assembly_listing reader(char *text, bool integers);

/* Reads a text, and expects the loop between two addresses, with so many multiplications; none: no such loop. */
static void expect(reader *read, const char *printed, bool integers, const char *owner, uint64_t first, uint64_t last,
                   size_t multiplications)
{
    char *text = memory_copy(printed);
    struct assembly_listing listing = read(text, integers);
    struct assembly_loop loop = {0};
    const bool found = assembly_listing_loop(&listing, owner, &loop);
    assert_int_equal(found, multiplications > 0);
    if (found) {
        assert_int_equal(listing.line[loop.first].address, first);
        assert_int_equal(listing.line[loop.last].address, last);
        assert_int_equal(loop.multiplications, multiplications);
    }
    assembly_listing_free(&listing);
    free(text);
}

static const char nested[] = "build/tilelab:     file format elf64-x86-64\n\n"
                             "0000000000001000 <run>:\nrun():\n./kernels/matmul/seq_ijk.c:14\n"
                             "    1000:\txor    %eax,%eax\n"
                             "./kernels/matmul/seq_ijk.c:16 (discriminator 3)\n"
                             "    1010:\tvmulsd (%rdi),%xmm0,%xmm0\n"
                             "    1020:\tvfmadd231pd (%rdi,%rax,8),%ymm1,%ymm0\n"
                             "    1030:\timul   $0x8,%rbx,%rcx\n"
                             "    1040:\tjne    1020 <run+0x20>\n"
                             "    1050:\tcall   1000 <run>\n"
                             "    1060:\tvmulsd %xmm0,%xmm1,%xmm0\n"
                             "    1070:\tvmulsd %xmm0,%xmm1,%xmm0\n"
                             "    1080:\tjmp    1060 <run+0x60>\n"
                             "    1090:\tjl     1010 <run+0x10>\n"
                             "    10a0:\tret\n";

TEST(the_innermost_loop_with_the_widest_multiplications_is_found)
{
    expect(assembly_listing_objdump, nested, false, "", 0x1020, 0x1040, 1);
    /* Integers: the product of an address counts, floating-point products do not. */
    expect(assembly_listing_objdump, nested, true, "", 0x1020, 0x1040, 1);
    expect(assembly_listing_objdump, "", false, "", 0, 0, 0);
    expect(assembly_listing_objdump, "0000 <run>:\n  10:\tjmp    10 <run+0x10>\n", false, "", 0, 0, 0);
}

TEST(each_instruction_has_its_source_line)
{
    char *text = memory_copy(nested);
    struct assembly_listing listing = assembly_listing_objdump(text, false);
    assert_int_equal(listing.count, 11);
    assert_string_equal(listing.line[0].file, "kernels/matmul/seq_ijk.c");
    assert_int_equal(listing.line[0].source_line, 14);
    assert_int_equal(listing.line[2].source_line, 16);
    assert_string_equal(listing.line[2].function, "run");
    assert_string_equal(listing.line[10].text, "ret");
    assembly_listing_free(&listing);
    free(text);
}

/* A loop that waits at a barrier lies within the loop that multiplies, and does not hide it. */
TEST(a_loop_that_waits_does_not_hide_the_loop_around_it)
{
    expect(assembly_listing_objdump,
           "0000000000001000 <run>:\n    1000:\tmulss  %xmm0,%xmm1\n    1010:\tpause\n"
           "    1020:\tjne    1010 <run+0x10>\n    1030:\tjne    1000 <run>\n",
           false, "", 0x1000, 0x1030, 1);
}

static const char sass[] = "\tcode for sm_90\n\t\tFunction : _Z14solver_squaresIfEvl\n"
                           "        /*0000*/                   DFMA R0, R1, R2, R0 ;   /* 0x01 */\n"
                           "                                                           /* 0x02 */\n"
                           "        /*0010*/                   FFMA R0, R1, R2, R0 ;   /* 0x01 */\n"
                           "        /*0020*/              @!P0 BRA 0x0 ;               /* 0x01 */\n"
                           "\t\tFunction : _Z13matmul_sharedIfLi32EEvl\n"
                           "        /*0000*/                   IMAD.MOV.U32 R24, RZ, RZ, RZ ; /* 0x01 */\n"
                           "        /*0010*/                   FFMA R0, R1, R2, R0 ;   /* 0x01 */\n"
                           "        /*0020*/              @!P0 BRA 0x10 ;              /* 0x01 */\n"
                           "        /*0030*/                   BRA 0x30 ;              /* 0x01 */\n"
                           "        /*0040*/                   HGMMA.64x256x16.F32 R24, gdesc[UR4] ; /* 0x01 */\n";

static struct assembly_listing read_sass(char *text, bool integers)
{
    return assembly_listing_sass(text, "sm_90", integers);
}

static struct assembly_listing read_sass_of_another_gpu(char *text, bool integers)
{
    return assembly_listing_sass(text, "sm_90a", integers);
}

TEST(a_problems_own_kernels_come_first)
{
    expect(read_sass, sass, false, "matmul_", 0x10, 0x20, 1);
    expect(read_sass, sass, false, "lu_", 0x0, 0x20, 2);
    expect(read_sass, sass, true, "matmul_", 0, 0, 0);
    expect(read_sass_of_another_gpu, sass, false, "matmul_", 0, 0, 0);
}

/* What nvdisasm prints: labels in place of addresses, and source lines. */
TEST(nvdisasm_tells_labels_and_source_lines)
{
    static const char printed[] = "\t.target\tsm_90\n        .size           matmul_tiled,(.L_x_2 - matmul_tiled)\n"
                                  ".text.matmul_tiled:\n\t//## File \"/a/tiled.cl\", line 41\n"
                                  "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n.L_x_1:\n"
                                  "\t//## File \"/a/tiled.cl\", line 53\n"
                                  "        /*0010*/                   FFMA R0, R1, R2, R0 ;\n"
                                  "        /*0020*/               @P1 BRA `(.L_x_1) ;\n.L_x_0:\n"
                                  "        /*0030*/                   BRA `(.L_x_0);\n.L_x_2:\n";
    expect(read_sass, printed, false, "matmul_", 0x10, 0x20, 1);
    char *text = memory_copy(printed);
    struct assembly_listing listing = read_sass(text, false);
    assert_int_equal(listing.count, 4);
    assert_string_equal(listing.line[0].function, "matmul_tiled");
    assert_int_equal(listing.line[0].source_line, 41);
    assert_string_equal(listing.line[1].file, "/a/tiled.cl");
    assert_int_equal(listing.line[1].source_line, 53);
    assembly_listing_free(&listing);
    free(text);
}

TEST(ptx_tells_source_lines)
{
    static const char ptx[] = ".entry matmul_tiled(\n)\n{\n\tret;\n\t.loc\t2 53 7\n$L1:\n\tfma.rn.f32 %f2, %f1;\n"
                              "\t@%p1 bra $L1;\n}\n\t.file\t1 \"/a/other.h\"\n\t.file\t2 \"/a/tiled.cl\"\n";
    expect(assembly_listing_ptx, ptx, false, "matmul_", 1, 2, 1);
    char *text = memory_copy(ptx);
    struct assembly_listing listing = assembly_listing_ptx(text, false);
    assert_int_equal(listing.count, 3);
    assert_null(listing.line[0].file);
    assert_string_equal(listing.line[1].file, "/a/tiled.cl");
    assert_int_equal(listing.line[1].source_line, 53);
    assembly_listing_free(&listing);
    free(text);
}

TEST(ptx_jumps_to_labels)
{
    static const char ptx[] = ".visible .entry _Z13matmul_globalIfEvl(\n\t.param .u64 p\n)\n{\n\t.reg .pred %p<9>;\n"
                              "\tmov.u32 %r1, 0;\n$L__BB0_1:\n\tld.global.f32 %f1, [%rd1];\n"
                              "\tfma.rn.f32 %f2, %f1, %f1, %f2;\n\t@%p1 bra $L__BB0_1;\n\tret;\n}\n";
    expect(assembly_listing_ptx, ptx, false, "matmul_", 1, 3, 1);
}
