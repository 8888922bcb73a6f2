// Concatenations as targets, part selects with variable index on both sides, several dimensions, signed arithmetic, shifts by wide amounts, casts.
module dut(input logic clk, input logic [15:0] a, input logic signed [7:0] s, t, input logic [3:0] i, j, output logic [7:0] o0, output logic [3:0] o1, o2, output logic signed [15:0] o3, o4, o5, o6, output logic [15:0] o7, o8, output logic [7:0] o9, oa, output logic signed [8:0] ob, output logic oc, output logic [31:0] od, output logic [7:0] oe);
  logic [3:0][7:0] pk;
  logic [7:0] mem [0:3][0:1];
  logic carry;
  always_comb begin
    {carry, o0} = a[7:0] + s;
    {o1, o2} = {2{i ^ j}};
    o2[i[1:0]] = carry;
  end
  assign o3 = s * t;
  assign o4 = s >>> i;
  assign o5 = (s < t) ? s : -t;
  assign o6 = t == 0 ? 16'sd0 : 16'(s / t) + 16'(s % t);
  assign o7 = a << {a, i};
  assign o8 = $signed(a) >>> {4'd0, j};
  initial foreach (mem[x, y]) mem[x][y] = 8'(x * 2 + y);
  always_ff @(posedge clk) begin
    mem[i[1:0]][j[0]][j[2:1] +: 4] <= a[3:0];
    pk[i[1:0]][j[2:0]] <= a[0];
    pk[3][7 -: 2] <= a[2:1];
  end
  initial pk = '0;
  assign o9 = mem[j[1:0]][i[0]];
  assign oa = pk[j[1:0]];
  assign ob = s + t;
  assign oc = s > $unsigned(t);
  assign od = {signed'(a[7:0]) + 32'sd0};
  assign oe = pk[i[1:0]][j[1:0] +: 4];
endmodule
