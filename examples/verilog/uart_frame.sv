// What was missing in uart_tx.sv: each bit of the word is on the line when it should be, and the transmitter is ready again after the last one. It is bound to the
// transmitter, which stays as it is.
//
//   propcov cover examples/verilog/uart_tx.sv examples/verilog/uart_frame.sv -G CLOCKS=2
module uart_frame #(parameter int CLOCKS = 4) (
  input logic       clk, rst, valid, ready, tx,
  input logic [7:0] data,
  input logic [9:0] shift,
  input logic [3:0] left,
  input logic [$clog2(CLOCKS)-1:0] clocks
);
  localparam int LAST = 10 * CLOCKS - 1;

  // The word that is being sent, and for how many clocks it has been.
  logic [7:0] word;
  logic       busy = 0;
  logic [$clog2(LAST + 1)-1:0] since;

  wire [9:0] frame = {1'b1, word, 1'b0};
  wire [3:0] place = 4'(since / CLOCKS);

  always_ff @(posedge clk)
    if (rst) busy <= 0;
    else if (ready && valid) begin
      word  <= data;
      since <= 0;
      busy  <= 1;
    end
    else if (busy) begin
      since <= since + 1;
      if (since == LAST) busy <= 0;
    end

  always_ff @(posedge clk) begin
    ready_again: assert (ready == !busy);
    if (busy) begin
      right_bit: assert (tx == frame[place]);
      in_time:   assert (since <= LAST && left == 10 - place && clocks == CLOCKS - 1 - since % CLOCKS);
      all_bits:  assert (shift == 10'((~10'd0 << (10 - place)) | (frame >> place)));
    end else
      quiet:     assert (shift == '1);
  end
endmodule

bind uart_tx uart_frame #(.CLOCKS(CLOCKS)) u_frame (.*);
