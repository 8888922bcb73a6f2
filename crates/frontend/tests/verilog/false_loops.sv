// Words whose bits depend on each other, without a loop.
module adder_cell(input logic a, b, c, output logic s, o);
  assign {o, s} = a + b + c;
endmodule
module swapper(input logic [7:0] i, output logic [7:0] o);
  assign o[3:0] = i[7:4];
  assign o[7:4] = i[3:0] + 1;
endmodule
module dut(input logic clk, input logic [7:0] a, b, output logic [7:0] sum, prefix, par, chain, fld, half, blk, fun, nest, gray);
  logic [8:0] c;
  assign c[0] = 0;
  for (genvar i = 0; i < 8; i++) begin : g
    adder_cell u(.a(a[i]), .b(b[i]), .c(c[i]), .s(sum[i]), .o(c[i + 1]));
  end
  assign prefix[0] = a[0];
  for (genvar i = 1; i < 8; i++) assign prefix[i] = prefix[i - 1] ^ a[i];
  // The same in a block: earlier bits of the same word.
  always_comb begin
    par[7] = b[7];
    for (int i = 6; i >= 0; i--) par[i] = par[i + 1] & b[i];
  end
  // Through two variables.
  logic [3:0] lo, hi;
  assign lo = a[3:0] + {3'b0, hi[3]};
  assign hi = {a[7], lo[2:0]};
  assign chain = {hi, lo};
  // Fields.
  struct packed { logic [3:0] x; logic [3:0] y; } s;
  always_comb s.x = a[3:0] & s.y;
  always_comb s.y = b[3:0] + 3;
  assign fld = s;
  // A module through which halves go the other way.
  logic [7:0] w, v;
  swapper u_s(.i(w), .o(v));
  assign w[7:4] = a[7:4];
  assign w[3:0] = v[3:0] ^ b[3:0];
  assign half = v;
  // One block that assigns two variables, each of which another one reads.
  logic [3:0] p, q, r;
  always_comb begin
    p = a[3:0];
    r = q ^ b[3:0];
  end
  always_comb q = p + 1;
  assign blk = {r, q};
  // A function on parts.
  function automatic logic [3:0] bump(logic [3:0] n); return n + 3; endfunction
  logic [7:0] f;
  assign f[3:0] = bump(a[3:0]);
  assign f[7:4] = bump(f[3:0]);
  assign fun = f;
  // Elements of an array, each made of the one before.
  logic [7:0] st [0:4];
  assign st[0] = a;
  for (genvar i = 0; i < 4; i++) assign st[i + 1] = {st[i][6:0], st[i][7]} ^ b;
  assign nest = st[4];
  always_comb begin
    gray = a;
    gray[6:0] = gray[7:1] ^ gray[6:0];
  end
endmodule
