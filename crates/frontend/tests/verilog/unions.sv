// (Verilator 5.006 makes no program of this.) Streams of unpacked arrays, packed unions, structs in structs, arrays of structs, tagless access by member, patterns with default, type keys, index keys.
package shapes;
  typedef struct packed { logic [3:0] op; logic [3:0] arg; } short_t;
  typedef struct packed { logic [1:0] kind; logic [5:0] imm; } long_t;
  typedef union packed { short_t s; long_t l; logic [7:0] raw; logic [1:0][3:0] nib; } word_t;
  typedef struct packed { word_t w; logic [2:0] tag; logic ok; } item_t;
  typedef struct { logic [7:0] a; int b; logic c [2]; } loose_t;
endpackage
module dut import shapes::*; (input logic clk, input logic [7:0] d, input logic [1:0] i, output logic [7:0] o0, o1, output logic [11:0] o2, output logic [3:0] o3, output logic [31:0] o4, output logic [7:0] o5, output logic [11:0] o6, output logic [31:0] o7, o8);
  word_t w;
  always_comb begin
    w.raw = d;
    w.l.kind = ~d[1:0];
    o0 = w.raw;
    o3 = w.s.op + w.nib[i[0]];
  end
  item_t table_q [4];
  initial for (int k = 0; k < 4; k++) table_q[k] = '{w: 8'(k * 17), tag: 3'(k), ok: 1'b0};
  always_ff @(posedge clk) begin
    table_q[i].w.s.arg <= d[3:0];
    table_q[i].ok <= ~table_q[i].ok;
  end
  assign o2 = table_q[i];
  assign o1 = table_q[~i].w.raw;
  loose_t l;
  always_comb begin
    l = '{default: '0, int: 7};
    l.a = d;
    l.c = '{1: d[0], default: d[1]};
    o4 = l.b + l.a + 32'(l.c[0]) + (32'(l.c[1]) << 9);
  end
  logic [7:0] arr [4];
  assign arr = '{0: d, 3: ~d, default: 8'h11};
  assign o5 = arr[i];
  assign o7 = {<<8{arr}};
  logic [7:0] back [4];
  always_comb begin
    {>>{back}} = {o7[15:0], o7[31:16]};
    o8 = {back[0], back[1], back[2], back[3]};
  end
  item_t packed_arr_item;
  assign packed_arr_item = '{w: d, default: '1};
  assign o6 = packed_arr_item;
endmodule
