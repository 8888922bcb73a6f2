// (Yosys has another opinion: there, an index that is too large is another one.) Selections that leave what they select from: what is read there is unknown, what is written there is lost.
module dut(input logic clk, input logic [4:0] i, input logic signed [5:0] n, input logic [9:0] a, input logic [3:0] v, output logic [3:0] p0, p1, p2, output logic b0, b1, output logic [9:0] w0, w1, w2, output logic [7:0] m0, m1, output logic [11:2] k);
  logic [7:0] mem [0:4];
  initial begin
    foreach (mem[j]) mem[j] = 8'(j);
  end
  assign p0 = a[i +: 4];
  assign p1 = a[i -: 4];
  assign p2 = a[n +: 4];
  assign b0 = a[i];
  assign b1 = a[n];
  always_comb begin
    w0 = a; w0[i +: 4] = v;
    w1 = a; w1[n -: 4] = v;
    w2 = a; w2[i] = v[0]; w2[n] = v[1];
    k = {a}; k[i -: 3] = v[2:0];
  end
  always_ff @(posedge clk) begin
    mem[i] <= {v, v};
  end
  assign m0 = v < 5 ? mem[v] : 8'd1;
  assign m1 = v > 8 && v < 14 ? mem[13 - v] : 8'd2;
endmodule
