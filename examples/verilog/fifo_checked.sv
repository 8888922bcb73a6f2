// The queue of fifo.sv, with assertions that follow one word from its entry to its exit.
//
//   propcov cover examples/verilog/fifo_checked.sv
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
  // A model of the queue: the oldest word first.
  logic [7:0] model [0:3];
  logic [2:0] length = 0;
  always_ff @(posedge clk)
    if (rst) length <= 0;
    else begin
      for (int i = 0; i < 3; i++) if (do_pop) model[i] <= model[i + 1];
      if (do_push) model[length - do_pop] <= in;
      length <= length + do_push - do_pop;
    end

  always_ff @(posedge clk) begin
    never_too_many: assert (count <= 4);
    as_long:        assert (count == length);
    full_is_full:   assert (full == (length == 4));
    empty_is_empty: assert (empty == (length == 0));
    ends_meet:      assert (tail == head + count[1:0]);
    starts_anew:    assert ($initstate || !$past(rst) || (head == 0 && tail == 0));
    for (int i = 0; i < 4; i++)
      if (i < length) in_order: assert (store[head + 2'(i)] == model[i]);
    if (!empty) right_word: assert (out == model[0]);
  end
`endif
endmodule
