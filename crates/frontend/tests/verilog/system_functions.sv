// Functions of the system, casts and concatenations as targets.
module dut(input logic clk, input logic [7:0] a, input logic signed [3:0] s, output logic [3:0] ones, output logic hot, hot0, output logic [7:0] w, v, output logic [3:0] hi, lo, output logic c, output logic [9:0] sum);
  localparam N = $clog2(200);
  assign ones = $countones(a);
  assign hot = $onehot(a);
  assign hot0 = $onehot0(a);
  assign w = $signed(s);
  assign v = $unsigned(s) + N + $bits(a);
  assign {hi, lo} = a;
  assign {c, sum[8:0]} = {1'b0, a} + {a, 1'b1};
  assign sum[9] = a[0];
endmodule
