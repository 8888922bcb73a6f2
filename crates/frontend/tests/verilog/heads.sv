// (Verilator 5.006 makes no program of this.) Loops with several variables, dimensions left out, steps of several kinds, effects in expressions.
module dut(input logic clk, input logic [7:0] a, b, output logic [7:0] o0, o1, o2, o3, o4, o5, o6);
  logic [3:0] g [2][3][2];
  always_comb begin
    o0 = 0;
    for (int i = 0, j = 7; i < j; i++, j--) o0[i] = a[j] ^ b[i];
  end
  always_comb begin
    foreach (g[i, j, k]) g[i][j][k] = 4'(a) + 4'(i * 6 + j * 2 + k);
    o1 = 0;
    foreach (g[i, , k]) o1 += 8'(g[i][1][k]) + 8'(i);
  end
  always_comb begin
    int i;
    o2 = b;
    for (i = 1; i < 100; i *= 3) o2 = o2 + (a >> i);
    o2 ^= 8'(i);
  end
  always_comb begin
    logic [7:0] t;
    t = a;
    o3 = t++ + b;
    o3 ^= t;
    o4 = (t = b) + --t;
    o4 -= t--;
  end
  always_comb begin
    o5 = 0;
    for (int i = 7; i >= 0; i -= 2) begin
      for (int j = 0; j < 4; j++) begin
        if (j == 2 && a[i]) break;
        if (b[j]) continue;
        o5 += 8'(i + j);
      end
      if (o5 > 30) break;
    end
  end
  function automatic logic [7:0] early(logic [7:0] v);
    foreach (v[i]) begin
      for (int k = 0; k < 3; k++) if (v[i] && b[k]) return 8'(i * 10 + k);
      if (i == 2) return 99;
    end
    return 77;
  endfunction
  assign o6 = early(a);
endmodule
