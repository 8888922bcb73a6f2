// Ports: values to start with in lists of ports, old lists, default values, ports that are parts of signals, names that are left out, arrays of instances.
module old_list(clk, d, q, n);
  input clk, d;
  output [3:0] q;
  output reg [2:0] n = 5;
  reg [3:0] q = 9;
  always @(posedge clk) begin
    q <= {q[2:0], d};
    n <= n + 1;
  end
endmodule
module new_list(input logic clk, input logic [3:0] d, output logic [3:0] q = 6, input logic [3:0] add = 3);
  always_ff @(posedge clk) q <= q + d + add;
endmodule
module bit_cell(input logic a, b, output logic y);
  assign y = a ^ b;
endmodule
module dut(input logic clk, input logic [3:0] d, output logic [3:0] q0, q1, q2, x, output logic [2:0] n, output logic [7:0] start = 8'h3c);
  old_list u_o(clk, d[0], q0, n);
  new_list u_n(.clk, .d, .q(q1));
  new_list u_m(.clk(clk), .d(d), .q(q2), .add(d ^ 4'd5));
  bit_cell u_b [3:0] (.a(d), .b(q1), .y(x));
  always_ff @(posedge clk) start <= {start[6:0], start[7]} ^ d;
endmodule
