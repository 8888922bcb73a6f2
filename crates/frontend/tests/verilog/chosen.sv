// Implication and equivalence, wildcards with patterns that are computed, powers of constants, casts of sizes and signs, conditions with x, chained choices.
module dut(input logic clk, input logic [7:0] a, b, input logic signed [7:0] s, output logic [7:0] o0, o1, o2, o3, o4, output logic [15:0] o5, o6, output logic [5:0] c);
  localparam logic [7:0] P = 8'b1x0z_01??;
  assign c = {a[0] -> b[0], a[1] <-> b[1], a ==? P, b !=? P, a === b, (a !== b) && !(a ~^ b)};
  assign o0 = 2 ** 3 + (3 ** a[1:0]) + (2 ** b[2:0]);
  assign o1 = 5'(a) + 3'(b) + 8'(s >>> 2);
  assign o2 = a[3] ? b[3] ? a : b : a[2] ? ~a : ~b;
  assign o3 = (a > b) ? 8'sd5 - s : -s;
  assign o4 = &a ? |b : ^a ? ~&b : ~|a ? ~^b : {4{a[1:0]}};
  assign o5 = {a, b} >> s[2:0] | {8{s[1:0]}} << b[3:0];
  assign o6 = signed'(a) * signed'(b) - unsigned'(s) + int'(a[3:0] * b[3:0]);
endmodule
