// case, casez, casex, inside, unique, priority, unique0, nested, with several values; if-else chains with unique.
module dut(input logic clk, input logic [5:0] a, b, output logic [3:0] o0, o1, o2, o3, o4, o5, output logic [7:0] o6, output logic b0, b1);
  always_comb casez (a)
    6'b1?????: o0 = 1;
    6'b01??1?: o0 = 2;
    6'b0011zz: o0 = 3;
    default: o0 = 4;
  endcase
  always_comb casex (a)
    6'b1xxx01: o1 = 1;
    6'b?1????: o1 = 2;
    default: o1 = 3;
  endcase
  always_comb case (a) inside
    [0:5], 9: o2 = 1;
    6'b1?1?1?: o2 = 2;
    [b:50]: o2 = 3;
    default: o2 = 4;
  endcase
  always_comb unique case (a[1:0])
    0: o3 = 1;
    1: o3 = 2;
    2, 3: o3 = b[3:0];
  endcase
  always_comb priority if (a > 40) o4 = 1; else if (a > 20) o4 = 2; else o4 = 3;
  always_comb begin
    o5 = 0;
    unique0 case (1'b1)
      a[0] & b[0]: o5 = 1;
      a[0] & ~b[0]: o5 = 2;
    endcase
  end
  always_comb case (1'b1)
    a[5]: o6 = 5;
    a[4]: o6 = 4;
    a[3] && b[3]: o6 = 3;
    default: begin case (b[1:0]) 0: o6 = 10; 1: o6 = 11; default: o6 = 12; endcase end
  endcase
  assign b0 = a inside {1, 2, [b:60], 6'b0?11?0};
  assign b1 = (a ==? 6'b1x0x1x) || (b !=? 6'b??1111);
endmodule
