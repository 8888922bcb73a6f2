// (Yosys has another opinion: there, what is promised is assumed.) What `unique`, `unique0` and `priority` promise does not hold: what is assigned before stays, in all simulators; the first item that fits is taken.
module dut(input logic clk, input logic [3:0] a, b, output logic [3:0] o0, o1, o2, o3, output logic [3:0] r);
  always_comb begin
    o0 = 9;
    priority case (a)
      4'd1: o0 = 1;
      4'd2, 4'd3: o0 = b;
    endcase
  end
  always_comb begin
    o1 = 7;
    priority if (a[0] && b[0]) o1 = 1;
    else if (a[0]) o1 = 2;
  end
  always_comb begin
    o2 = 0;
    case (b) inside
      [4'd2:4'd9]: o2 = 1;
      4'b1?1?: o2 = 2;
      4'd7: o2 = 3;
    endcase
  end
  always_comb begin
    casez ({a[1:0], b[1:0]})
      4'b1??0: o3 = 1;
      4'b?1z1: o3 = 2;
      4'b00??: o3 = 3;
      4'b???1: o3 = 4;
      default: o3 = 5;
    endcase
  end
  initial r = 0;
  always_ff @(posedge clk) unique0 case (1'b1)
    a[3]: r <= r + 1;
    b[3] & ~a[3]: r <= b;
  endcase
endmodule
