// (Verilator 5.006 makes no program of this.) Interfaces in interfaces, in arrays, with parameters of types, functions, modports with expressions, without a named type.
interface inner_if #(parameter type T = logic [3:0]);
  T v;
  logic en;
  modport drive(output v, en);
  modport look(input v, en);
endinterface
interface outer_if(input logic clk);
  inner_if #(.T(logic [7:0])) a();
  inner_if b();
  logic [7:0] word;
  function automatic logic [7:0] both(logic [7:0] x); return x ^ a.v ^ 8'(b.v); endfunction
  modport user(input .low(word[3:0]), .high(word[7:4]), import both);
  logic [7:0] kept = 0;
  always_ff @(posedge clk) if (a.en) kept <= a.v;
endinterface
module drives(inner_if.drive p, input logic [7:0] d);
  assign p.v = d;
  assign p.en = ^d;
endmodule
module uses(outer_if.user o, input logic [7:0] d, output logic [7:0] q);
  assign q = o.both(d) + {o.low, o.high};
endmodule
module any(interface p, output logic [7:0] q);
  assign q = p.en ? p.v : 8'h0;
endmodule
module many(inner_if.look p [2], output logic [7:0] q);
  assign q = {p[0].v, p[1].v};
endmodule
module dut(input logic clk, input logic [7:0] d, e, output logic [7:0] q0, q1, q2, q3, q4);
  outer_if o(.clk);
  assign o.word = e;
  drives u0(.p(o.a), .d);
  drives u1(.p(o.b), .d(e));
  uses u2(.o(o.user), .d(8'(d + e)), .q(q0));
  any u3(.p(o.a), .q(q1));
  inner_if pair [2]();
  for (genvar i = 0; i < 2; i++) begin : g
    assign pair[i].v = d[4*i +: 4];
    assign pair[i].en = 1;
  end
  many u4(.p(pair), .q(q2));
  assign q3 = o.kept;
  any u5(.p(o.b), .q(q4));
endmodule
