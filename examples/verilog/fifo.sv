// A queue of four words. Its assertions say that it never holds more than four, and that the flags are right.
//
//   propcov cover examples/verilog/fifo.sv
module fifo (
  input  logic       clk, rst,
  input  logic       push, pop,
  input  logic [7:0] in,
  output logic [7:0] out,
  output logic       full, empty
);
  logic [7:0] store [0:3];
  logic [1:0] head, tail;
  logic [2:0] count;

  initial begin head = 0; tail = 0; count = 0; end

  wire do_push = push && !full;
  wire do_pop  = pop && !empty;

  assign full  = count == 4;
  assign empty = count == 0;
  assign out   = store[head];

  always_ff @(posedge clk)
    if (rst) begin
      head  <= 0;
      tail  <= 0;
      count <= 0;
    end else begin
      if (do_push) begin
        store[tail] <= in;
        tail <= tail + 1;
      end
      if (do_pop) head <= head + 1;
      count <= count + do_push - do_pop;
    end

`ifdef FORMAL
  always_ff @(posedge clk) begin
    never_too_many: assert (count <= 4);
    full_is_full:   assert (full == (count == 4));
  end
`endif
endmodule
