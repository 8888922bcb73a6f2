// generate for, if, case, nested, with genvar arithmetic, string and real parameters, type parameters, package functions as constants.
package consts;
  function automatic int log2up(int n); int r = 0; while ((1 << r) < n) r++; return r; endfunction
  parameter real RATIO = 2.5;
endpackage
module stage_m #(parameter type T = logic [3:0], parameter string MODE = "ADD", parameter int N = 1) (input T x, output T y);
  if (MODE == "ADD") assign y = x + N;
  else if (MODE == "XOR") begin : g_x assign y = x ^ N; end
  else assign y = ~x;
endmodule
module dut #(parameter string KIND = "fast", parameter int WIDTH = 12) (input logic clk, input logic [11:0] a, output logic [11:0] o0, output logic [7:0] o1, output logic [15:0] o2, output logic [3:0] o3, output logic [11:0] o4);
  localparam [31:0] CODE = "fast";
  localparam int L = consts::log2up(WIDTH);
  localparam int R = int'(consts::RATIO * 4.0);
  logic [11:0] w [0:4];
  assign w[0] = a;
  for (genvar i = 0; i < 4; i++) begin : g
    case (i % 3)
      0: stage_m #(.T(logic [11:0]), .MODE("ADD"), .N(i + R)) u(.x(w[i]), .y(w[i + 1]));
      1: stage_m #(.T(logic [11:0]), .MODE("XOR"), .N(i * 37)) u(.x(w[i]), .y(w[i + 1]));
      default: stage_m #(.T(logic [11:0]), .MODE("NOT")) u(.x(w[i]), .y(w[i + 1]));
    endcase
    if (i > 0 && i < 3) begin : h
      for (genvar j = 0; j < i; j++) begin : k
        wire [3:0] m = a[3:0] + i * 4 + j;
      end
    end
  end
  assign o0 = w[4];
  assign o1 = g[2].h.k[1].m + g[1].h.k[0].m;
  assign o2 = KIND == "fast" ? {CODE[7:0], CODE[15:8]} : 16'd0;
  assign o3 = L;
  if (KIND == "slow") assign o4 = 0; else begin assign o4 = a * R; end
endmodule
