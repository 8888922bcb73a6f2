// Streaming in both directions, of several operands, and as targets.
module dut(input logic clk, input logic [15:0] a, input logic [7:0] b, output logic [23:0] o0, o1, output logic [15:0] o2, o3, output logic [7:0] o4, o5, o6, output logic [31:0] o7, output logic [7:0] o8, o9);
  assign o0 = {<<8{a, b}};
  assign o1 = {>>{b, a}};
  assign o2 = {<<5{a}};
  assign o3 = {<<{a}};
  always_comb {<<4{o4}} = b;
  always_comb {>>{o5, o6}} = a;
  logic [31:0] bytes;
  always_comb begin
    bytes = {b, a, ~b};
    o7 = {<<8{bytes}};
  end
  typedef struct packed { logic [3:0] x, y; } pair_t;
  pair_t p;
  always_comb begin
    p = {<<4{b}};
    o8 = {p.y, p.x};
  end
  assign o9 = byte'({<<2{b}});
endmodule
