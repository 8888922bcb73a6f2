// A transmitter for a serial line: a start bit, eight bits of data, a stop bit, each for so many clocks. Its assertions say that an idle line is high, that
// a word begins with a start bit, and that never more than ten bits are left.
//
//   propcov cover examples/verilog/uart_tx.sv
module uart_tx #(parameter int CLOCKS = 4) (
  input  logic       clk, rst,
  input  logic       valid,
  input  logic [7:0] data,
  output logic       ready,
  output logic       tx
);
  // What is still to be sent, the bit on the line first; how many bits that is, and for how many more clocks the first stays.
  logic [9:0] shift;
  logic [3:0] left;
  logic [$clog2(CLOCKS)-1:0] clocks;

  initial begin shift = '1; left = 0; clocks = 0; end

  assign ready = left == 0;
  assign tx    = shift[0];

  always_ff @(posedge clk)
    if (rst) begin
      shift  <= '1;
      left   <= 0;
      clocks <= 0;
    end else if (ready) begin
      if (valid) begin
        shift  <= {1'b1, data, 1'b0};
        left   <= 10;
        clocks <= CLOCKS - 1;
      end
    end else if (clocks != 0)
      clocks <= clocks - 1;
    else begin
      shift  <= {1'b1, shift[9:1]};
      left   <= left - 1;
      clocks <= CLOCKS - 1;
    end

`ifdef FORMAL
  always_ff @(posedge clk) begin
    at_most_ten:   assert (left <= 10);
    idle_is_high:  assert (!ready || tx);
    begins_low:    assert ($initstate || !$past(valid && ready && !rst) || !tx);
    whole_word:    cover (!$initstate && !$past(rst) && $past(left) == 1 && ready);
`ifdef NO_RESET
    no_reset:      assume (!rst);
`endif
  end
`endif
endmodule
