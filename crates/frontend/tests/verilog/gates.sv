// Primitives, implicit nets, non-ANSI ports, defparam, choices without default that leave nothing out.
module leaf(x, y);
  parameter W = 2;
  input [W-1:0] x;
  output [W-1:0] y;
  assign y = ~x;
endmodule
module dut(clk, a, b, s, y, z, n, k);
  input clk, a, b;
  input [1:0] s;
  output y, z;
  output [2:0] n;
  output reg [1:0] k;
  and g1(y, a, b, w);
  nor g2(w, a, s[0]);
  not g3(z, w);
  leaf u(.x({a, s}), .y(n));
  defparam u.W = 3;
  always @(*)
    case (s)
      2'd0: k = 3;
      2'd1: k = {a, b};
      2'd2: k = 1;
      2'd3: k = 2;
    endcase
endmodule
