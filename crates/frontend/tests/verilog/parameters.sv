// Types, arrays, structures, texts as parameters; constant functions; functions of packages through other packages.
package base_pkg;
  parameter int WIDTH = 6;
  function automatic int log2(int n); log2 = 0; while (n > 1) begin n = n / 2; log2++; end endfunction
  typedef enum logic [2:0] {RED = 1, GREEN = 3, BLUE = 6} colour_t;
  typedef struct packed { colour_t c; logic [WIDTH-1:0] v; } pixel_t;
endpackage
package more_pkg;
  import base_pkg::*;
  export base_pkg::WIDTH, base_pkg::log2;
  localparam int TABLE [4] = '{3, 1, 4, log2(40)};
  function automatic logic [7:0] mix(logic [7:0] x, int n = TABLE[2]); return x ^ (8'h11 * 8'(n)); endfunction
endpackage
module hold #(parameter type T = logic [3:0], parameter T START = '0, parameter string MODE = "SLOW", localparam int W = $bits(T)) (input logic clk, input T d, output T q, output logic [7:0] w);
  T kept = START;
  if (MODE == "FAST") begin : fast assign q = d; end
  else begin : slow assign q = kept; end
  always_ff @(posedge clk) kept <= d;
  assign w = 8'(W);
endmodule
module dut import more_pkg::*; import base_pkg::colour_t, base_pkg::pixel_t, base_pkg::RED, base_pkg::BLUE; (input logic clk, input logic [7:0] d, input logic [1:0] i, output logic [3:0] q0, output logic [7:0] w0, w1, w2, output logic [8:0] q1, output logic [7:0] q2, q3, q4);
  localparam real HALF = 2.5;
  localparam int UP = $rtoi($ceil(HALF * 3.0));
  localparam pixel_t PIX = '{c: BLUE, v: 6'(WIDTH)};
  localparam logic [3:0][2:0] PACKED = {3'd5, 3'd2, 3'd7, 3'd1};
  hold u0(.clk, .d(d[3:0]), .q(q0), .w(w0));
  hold #(.T(pixel_t), .START(PIX)) u1(.clk, .d(pixel_t'({1'b0, d})), .q(q1), .w(w1));
  hold #(.T(byte), .MODE("FAST")) u2(.clk, .d(d), .q(q2), .w(w2));
  assign q3 = mix(d) + mix(d, 2) + 8'(TABLE[i]) + 8'(UP) + PIX.v;
  assign q4 = {PACKED[i], 2'(log2(int'(WIDTH))), RED};
endmodule
