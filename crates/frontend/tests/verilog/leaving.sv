// Blocks and loops that are left by their names.
module dut(input logic clk, input logic [7:0] a, b, output logic [7:0] o0, o1, o2);
  always @* begin : whole
    integer i;
    o0 = 0;
    begin : search
      for (i = 0; i < 8; i = i + 1) begin : round
        if (b[i]) disable round;
        if (a[i]) disable search;
        o0 = o0 + 1;
      end
      o0 = o0 | 8'h40;
    end
    o0 = o0 ^ 8'h80;
  end
  always @* begin : outer
    o1 = a;
    if (a == b) disable outer;
    o1 = a + b;
    if (a > b) begin : inner
      if (b[0]) disable outer;
      o1 = o1 ^ 8'hff;
      if (b[1]) disable inner;
      o1 = o1 + 3;
    end
    o1 = o1 + 1;
  end
  task find(input [7:0] v, output [7:0] n);
    integer k;
    begin : body
      n = 100;
      for (k = 0; k < 8; k = k + 1) if (v[k]) begin n = k; disable find; end
      n = 50;
    end
  endtask
  always @* find(a & b, o2);
endmodule
