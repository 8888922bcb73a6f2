// if, case, casez, while and repeat.
module dut(input logic clk, input logic [7:0] a, input logic [2:0] s, output logic [7:0] r, k, output logic [1:0] f);
  always_comb
    case (s)
      3'd0: r = a;
      3'd1, 3'd2: r = ~a;
      3'd3: begin r = a + 1; if (a[0]) r = 0; end
      default: r = {a[3:0], a[7:4]};
    endcase
  always_comb
    casez ({a[1:0], s})
      5'b1????: k = 1;
      5'b01??0: k = 2;
      5'b0??11: k = 3;
      default: k = 4;
    endcase
  always_comb begin
    integer n;
    n = 0;
    f = 0;
    while (n < 5) begin
      f = f ^ a[n +: 2];
      n = n + 2;
    end
    repeat (3) f = f + 1;
  end
endmodule
