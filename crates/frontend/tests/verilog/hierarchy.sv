// Instances, parameters, generate, carries through bits of one word.
module full(input logic a, b, ci, output logic s, co);
  assign s = a ^ b ^ ci;
  assign co = (a & b) | (ci & (a ^ b));
endmodule
module adder #(parameter W = 4) (input logic [W-1:0] a, b, output logic [W:0] y);
  logic [W:0] c;
  assign c[0] = 1'b0;
  for (genvar i = 0; i < W; i++) begin : g
    full u(.a(a[i]), .b(b[i]), .ci(c[i]), .s(y[i]), .co(c[i+1]));
  end
  assign y[W] = c[W];
endmodule
module dut(input logic clk, input logic [5:0] a, b, output logic [6:0] y, output logic [3:0] z, output logic [7:0] pipe);
  adder #(.W(6)) u_add(a, b, y);
  logic [4:0] narrow;
  adder u_small(.a(a[3:0]), .b(b[3:0]), .y(narrow));
  assign z = narrow[4:1];
  logic [7:0] stage = 0;
  logic [7:0] all;
  assign all[0] = a[0];
  for (genvar i = 1; i < 8; i++) begin : s
    always_ff @(posedge clk) stage[i] <= all[i-1];
    assign all[i] = stage[i];
  end
  assign pipe = all;
endmodule
