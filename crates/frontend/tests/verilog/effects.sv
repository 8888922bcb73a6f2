// Functions that change signals of their module, operators that stop early, static variables, assignments in expressions, order of evaluation.
module dut(input logic clk, input logic [7:0] a, b, output logic [7:0] o0, o1, o2, o3, o4);
  logic [7:0] count;
  function automatic logic bump(logic [7:0] by);
    count = count + by;
    return count[0];
  endfunction
  always_comb begin
    count = a;
    o0 = 0;
    if (a[0] && bump(3)) o0 = 1;
    if (b[0] || bump(5)) o0 += 2;
    o0 += b[1] ? {7'd0, bump(7)} : 8'd9;
    o1 = count;
  end
  logic [7:0] total = 0;
  task automatic add(input logic [7:0] x, output logic [7:0] prior, inout logic [7:0] both);
    prior = total;
    total = total + x;
    both = both + total;
  endtask
  logic [7:0] bef, io = 1;
  always_ff @(posedge clk) begin
    add(a, bef, io);
    if (b[2]) add(b, bef, io);
  end
  initial bef = 0;
  assign o2 = bef;
  assign o3 = io;
  always_ff @(posedge clk) begin
    static logic [7:0] seen = 5;
    seen = seen + a;
    o4 <= seen;
  end
  initial o4 = 0;
endmodule
