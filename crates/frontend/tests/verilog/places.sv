// (Verilator 5.006 makes no program of this.) Names through the hierarchy: down, up, through generated blocks, from the root, of parameters, by tasks of other scopes.
module child #(parameter int N = 3) (input logic clk, input logic [7:0] d);
  localparam int TWICE = 2 * N;
  logic [7:0] r = 0, copy;
  always_ff @(posedge clk) r <= r + d + top_step(N);
  function automatic logic [7:0] top_step(int n); return 8'(n) + dut.shared; endfunction
  for (genvar i = 0; i < N; i++) begin : bits
    logic b;
    if (i % 2 == 0) begin : even assign b = d[i]; end else begin : odd logic t; assign t = ~d[i]; assign b = t; end
  end
  assign copy = r ^ middle.x;
endmodule
module middle(input logic clk, input logic [7:0] d, output logic [7:0] q);
  logic [7:0] x;
  assign x = d * 3;
  child #(.N(4)) c0(.clk, .d(x));
  child c1(.clk, .d(d));
  assign q = c0.copy + c1.copy;
endmodule
module dut(input logic clk, input logic [7:0] d, output logic [7:0] q0, q1, q2, q3, q4);
  logic [7:0] shared;
  assign shared = d & 8'h0f;
  middle mid(.clk, .d, .q(q0));
  assign q1 = mid.c0.r;
  assign q2 = {mid.c0.bits[0].b, mid.c0.bits[1].b, mid.c0.bits[1].odd.t, mid.c1.bits[2].b, 4'(mid.c0.TWICE)};
  assign q3 = $root.dut.mid.c1.r + 8'(mid.c1.TWICE);
  always_comb begin : named
    logic [7:0] local_one;
    local_one = d + 1;
    q4 = dut.named.local_one;
  end
endmodule
