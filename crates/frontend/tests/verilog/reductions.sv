// An operator between all elements of an array; patterns that repeat themselves.
module dut(input logic [3:0] a, b, output logic [3:0] all, some, odd, total, product, output logic [15:0] twice);
  logic [3:0] m [3];
  logic [3:0] n [4];
  always_comb begin
    m = '{a, b, 4'd5};
    n = '{2{a, b}};
    all = m.and();
    some = m.or();
    odd = m.xor();
    total = m.sum();
    product = m.product();
    twice = {n[0], n[1], n[2], n[3]};
  end
endmodule
