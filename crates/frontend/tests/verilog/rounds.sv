// Tasks that exchange, foreach, while, repeat, do while, forever with break, continue and return in loops, initial with loops.
module dut(input logic clk, input logic [7:0] a, b, output logic [7:0] o0, o1, o2, o3, o4, o5, o6, o7, o8, o9);
  function automatic logic [7:0] first_one(logic [7:0] v);
    for (int i = 0; i < 8; i++) if (v[i]) return 8'(i);
    return 8'hff;
  endfunction
  function automatic logic [7:0] skip(logic [7:0] v);
    skip = 0;
    for (int i = 0; i < 8; i++) begin
      if (!v[i]) continue;
      if (i == 6) break;
      skip += 8'(i) + 1;
    end
  endfunction
  task automatic swap(inout logic [7:0] a, b);
    logic [7:0] t;
    t = a; a = b; b = t;
  endtask
  assign o0 = first_one(a);
  assign o1 = skip(a);
  always_comb begin
    int k;
    o2 = b; k = 0;
    while (k < 5) begin o2 = {o2[6:0], o2[7] ^ a[k]}; k++; end
  end
  always_comb begin
    o3 = a;
    o9 = b;
    repeat (3) o3 = (o3 << 1) + b;
    swap(o3, o9);
  end
  always_comb begin
    int k;
    k = 0; o4 = 0;
    do begin o4 += a[k] ? 8'd3 : 8'd1; k += 2; end while (k < 8);
  end
  always_comb begin
    int k;
    k = 0; o5 = 0;
    forever begin if (k == 4) break; o5[k] = a[7 - k]; k++; end
  end
  always_comb begin
    o6 = 1;
    foreach (a[i]) begin
      if (b[i]) continue;
      o6 = o6 + a[i];
    end
  end
  always_comb begin
    o7 = 0;
    repeat (6) begin
      if (o7 > b) break;
      o7 = o7 + (a | 1);
    end
  end
  logic [7:0] rom [16];
  initial begin
    int n;
    n = 1;
    for (int i = 0; i < 16; i++) begin rom[i] = 8'(n); n = n * 3 + i; end
  end
  assign o8 = rom[a[3:0]];
endmodule
