// Enumerations, structures, unions, packed arrays, casts, packages.
package kinds;
  typedef enum logic [1:0] {IDLE, RUN, DONE = 3} state_t;
  typedef struct packed { logic valid; logic [2:0] tag; logic [3:0] data; } word_t;
  typedef union packed { logic [7:0] raw; word_t word; } both_t;
  localparam int LIMIT = 5;
  function automatic logic [3:0] twice(logic [3:0] v); return v << 1; endfunction
endpackage
module dut import kinds::*; (input logic clk, input logic go, input logic [7:0] d, output logic [1:0] st, output logic [7:0] o, output logic [3:0] n, output logic [8:0] ex);
  state_t state = IDLE;
  word_t w;
  both_t u;
  logic [3:0] left = 0;
  assign w = '{valid: go, tag: d[2:0], default: 4'd9};
  assign u.raw = d ^ w;
  assign o = {u.word.data, u.word.tag, u.word.valid};
  assign st = state;
  assign n = twice(left) + 4'(d);
  assign ex = 9'(signed'(d));
  always_ff @(posedge clk)
    unique case (state)
      IDLE: if (go) begin state <= RUN; left <= LIMIT; end
      RUN: begin left <= left - 1; if (left == 1) state <= DONE; end
      DONE: state <= go ? IDLE : DONE;
      default: state <= IDLE;
    endcase
endmodule
