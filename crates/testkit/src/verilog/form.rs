//! The parts of the wider language: each is a text with expressions in it.

use super::print::cut;
use super::{Expr, Form, Item};

impl Form {
    /// All of them. The first two do not go with several clocks, where a reset is one more edge.
    pub const ALL: &[Form] = &[
        Form::ResetHigh,
        Form::ResetLow,
        Form::Union,
        Form::Packed,
        Form::Array,
        Form::Record,
        Form::Enumeration,
        Form::Task,
        Form::Interface,
        Form::Generate,
        Form::Stream,
        Form::Loop,
        Form::Ascending,
        Form::Choice,
        Form::Registers,
        Form::Instances,
    ];

    /// The letter that the names of what it defines begin with.
    pub fn letter(self) -> char {
        match self {
            Form::Union => 'n',
            Form::Packed => 'v',
            Form::Array => 'a',
            Form::Record => 't',
            Form::Enumeration => 'e',
            Form::Task => 'k',
            Form::Interface => 'x',
            Form::Generate => 'g',
            Form::ResetHigh => 'y',
            Form::ResetLow => 'z',
            Form::Stream => 'd',
            Form::Loop => 'l',
            Form::Ascending => 'b',
            Form::Choice => 'h',
            Form::Registers => 'q',
            Form::Instances => 'j',
        }
    }

    /// How many expressions there are in it.
    pub fn values(self) -> usize {
        match self {
            Form::ResetHigh | Form::ResetLow | Form::Generate | Form::Stream => 2,
            Form::Enumeration | Form::Interface | Form::Task | Form::Instances => 3,
            Form::Union | Form::Packed | Form::Ascending | Form::Loop => 4,
            Form::Array | Form::Record | Form::Choice | Form::Registers => 5,
        }
    }

    /// Whether nobody may read it before it comes: all but registers.
    pub(super) fn text(self, program: &str, clock: &str, n: usize, values: &[Expr]) -> String {
        let value = |at: usize| values[at].text();
        let cut = |at: usize, bits: u32| cut(&values[at], bits);
        match self {
            Form::Union => format!(
                "  union packed {{ logic [7:0] w; struct packed {{ logic [3:0] a; logic signed [3:0] b; }} p; logic [1:0][3:0] v; }} n{n};
  always_comb begin
    n{n}.w = {};
    n{n}.p.b = {};
    n{n}.v[{}] = {};
  end",
                value(0), value(1), cut(2, 1), value(3)
            ),
            Form::Packed => format!(
                "  logic [3:0][2:0] v{n};
  always_comb begin
    v{n} = {};
    v{n}[{}] = {};
    v{n}[{}][1:0] = {};
  end",
                value(0), cut(1, 2), value(2), cut(3, 2), value(0)
            ),
            Form::Array => format!(
                "  logic signed [4:0] a{n} [4];
  always_comb begin
    a{n} = '{{{}, 5'd3, {}, 5'sd7}};
    foreach (a{n}[j]) if (j != 2) a{n}[j] = a{n}[j] + {};
    a{n}[{}] = {};
  end",
                value(0), value(1), value(2), cut(3, 2), value(4)
            ),
            Form::Record => format!(
                "  struct {{ logic [3:0] a; logic signed [5:0] b; }} t{n};
  logic [2:0] t{n}c [2];
  always_comb begin
    t{n}.a = {};
    t{n}.b = {};
    t{n}c = '{{{}, 3'd5}};
    t{n}c[{}] = {};
    if (t{n}.b[0]) t{n}c = '{{default: 3'd2}};
  end",
                value(0), value(1), value(2), cut(3, 1), value(4)
            ),
            Form::Enumeration => format!(
                "  always_ff @(posedge {clock})
    unique case (e{n})
      IDLE: if ({}) e{n} <= BUSY;
      BUSY: e{n} <= {} ? WAIT : BUSY;
      WAIT: if ({}) e{n} <= {program}_package::IDLE; else e{n} <= e{n}.first();
      default: e{n} <= IDLE;
    endcase",
                value(0), value(1), value(2)
            ),
            Form::Task => format!(
                "  task automatic k{n}_task(input logic [7:0] x, inout logic [5:0] y, output logic signed [4:0] z);
    logic [7:0] s;
    s = x ^ {{2'b0, y}};
    if (s[0]) begin z = s[5:1]; y = y + x[5:0]; return; end
    z = 5'(y);
    y -= 6'd3;
  endtask
  logic [5:0] k{n};
  logic signed [4:0] k{n}z;
  always_comb begin
    k{n} = {};
    k{n}_task({}, k{n}, k{n}z);
    if ({}) k{n}_task(8'(k{n}), k{n}, k{n}z);
  end",
                value(0), value(1), value(2)
            ),
            Form::Interface => format!(
                "  {program}_bus x{n}_bus({clock});
  {program}_end x{n}_end(x{n}_bus);
  logic [5:0] x{n};
  assign x{n}_bus.d = {};
  assign x{n}_bus.valid = {};
  assign x{n} = x{n}_bus.q ^ (x{n}_bus.seen ? 6'({}) : 6'd0);",
                value(0), value(1), value(2)
            ),
            Form::Generate => format!(
                "  logic [7:0] g{n};
  for (genvar j = 0; j < 8; j = j + 1) begin : g{n}_bits
    if (j % 3 == 1) begin : some
      wire w = ^({}) ^ (j == 4);
      assign g{n}[j] = w;
    end else begin : others
      logic w;
      always_comb w = ({}) > j;
      assign g{n}[j] = w;
    end
  end",
                value(0), value(1)
            ),
            Form::ResetHigh | Form::ResetLow => {
                let (name, edge, not) = if self == Form::ResetHigh { ('y', "posedge", "") } else { ('z', "negedge", "!") };
                format!(
                    "  wire {name}{n}_reset = i0[0];
  always_ff @(posedge {clock} or {edge} {name}{n}_reset)
    if ({not}{name}{n}_reset) {name}{n} <= 6'd{};
    else if ({}) {name}{n} <= {};",
                    n * 7 % 64, value(0), value(1)
                )
            }
            Form::Stream => format!(
                "  logic [11:0] d{n}, d{n}v;
  logic [11:0] d{n}i;
  assign d{n}v = {};
  always_comb begin
    d{n} = {{<<3{{d{n}v}}}};
    d{n}i = {{<<{{d{n}[7:0], d{n}v[11:8]}}}};
    if ({}) {{>>{{d{n}i}}}} = {{d{n}v[5:0], d{n}[5:0]}};
  end",
                value(0), value(1)
            ),
            Form::Loop => format!(
                "  logic [7:0] l{n};
  always_comb begin
    l{n} = {};
    for (int j = 0; j < 5; j++) begin
      if (l{n}[j]) continue;
      if (({}) == j) break;
      l{n} = l{n} + {};
    end
    repeat (2) l{n} = {{l{n}[6:0], l{n}[7]}};
    for (int j = 7; j >= 4; j -= 2) begin
      int unsigned s;
      s = j;
      while (s > 5) begin l{n}[s[2:0]] = !l{n}[s[2:0]]; s--; end
    end
    if ({}) begin
      automatic int j = 0;
      do begin l{n} ^= 8'(j * 5); j++; end while (j < 3);
    end
  end",
                value(0), value(1), value(2), value(3)
            ),
            Form::Ascending => format!(
                "  logic [0:11] b{n};
  always_comb begin
    b{n} = {};
    b{n}[{} +: 3] = {};
    b{n}[11 -: 4] = b{n}[{} +: 4] ^ b{n}[2:5];
    b{n}[4'd3 + {} -: 3] = b{n}[0:2];
  end",
                value(0), cut(1, 3), value(2), cut(3, 3), cut(1, 2)
            ),
            Form::Choice => format!(
                "  logic [7:0] h{n};
  always_comb begin
    h{n} = {};
    casex ({})
      3'b1x0: h{n} += {};
      3'b0?1: h{n} <<= 2;
      default: h{n} |= 8'h11;
    endcase
    case ({}) inside
      0, [3:5]: h{n}[3:0] = ~h{n}[3:0];
      3'b1?0: h{n} = h{n} * 3;
      default: h{n}--;
    endcase
    priority if (h{n}[0] && ({})) h{n} >>>= 1;
    else if (h{n} inside {{[8'd10:8'd90], 8'hff}}) h{n} ^= 8'h0f;
    else h{n} = -h{n};
  end",
                value(0), cut(1, 3), value(2), cut(3, 3), value(4)
            ),
            Form::Registers => format!(
                "  always_ff @(posedge {clock}) begin
    if ({}) q{n}[{}][{}] <= {};
    else if (q{n}[0][1][0]) q{n}[1] <= q{n}[0];
    q{n}[0][3] <= {};
  end",
                value(0), cut(1, 1), cut(2, 2), value(3), value(4)
            ),
            Form::Instances => format!(
                "  logic [7:0] j{n};
  logic [3:0] j{n}_b;
  logic [4:0] j{n}a;
  logic j{n}_c;
  wire [7:0] j{n}_v = {};
  {program}_cell j{n}_cells [3:0] (.a(j{n}_v), .b({{4{{j{n}_c}}}}), .y(j{n}), .z(j{n}_b));
  always_comb begin
    {{j{n}_c, j{n}a}} = {};
    {{j{n}a[2:0], j{n}a[4:3]}} = j{n}a + {};
  end",
                value(0), value(1), value(2)
            ),
        }
    }

    /// What has to be declared before anything reads it: registers.
    pub(super) fn declaration(self, program: &str, n: usize) -> Option<String> {
        match self {
            Form::Enumeration => {
                Some(format!("  {program}_package::state_t e{n} = {program}_package::IDLE;"))
            }
            Form::ResetHigh => Some(format!("  logic [5:0] y{n} = 6'd{};", n * 7 % 64)),
            Form::ResetLow => Some(format!("  logic [5:0] z{n} = 6'd{};", n * 7 % 64)),
            Form::Registers => Some(format!(
                "  logic [3:0] q{n} [2][4];\n  initial for (int j = 0; j < 8; j++) q{n}[j / 4][j % 4] = 4'(j * 5);"
            )),
            _ => None,
        }
    }
}

/// What the forms of a program need outside of its module.
pub(super) fn around(program: &str) -> String {
    format!(
        "package {program}_package;
  typedef enum logic [1:0] {{ IDLE = 2'd1, BUSY = 2'd3, WAIT = 2'd0 }} state_t;
endpackage
interface {program}_bus(input logic clk);
  logic [5:0] d, q;
  logic valid, seen;
  modport user(input clk, d, valid, output q, seen);
endinterface
module {program}_end({program}_bus.user bus);
  logic [5:0] r = 6'd9;
  always_ff @(posedge bus.clk) if (bus.valid) r <= r + bus.d;
  assign bus.q = r;
  assign bus.seen = bus.valid && r > bus.d;
endmodule
module {program}_cell #(parameter int N = 1) (input logic [1:0] a, input logic b, output logic [1:0] y, output logic z);
  if (N == 1) begin : one
    assign y = b ? ~a : a + 2'd1;
  end else begin : other
    assign y = 0;
  end
  assign z = ^a;
endmodule
"
    )
}

impl Item {
    /// The letter that the names of what it defines begin with.
    pub fn letter(&self) -> char {
        match self {
            Item::Net(..) => 'w',
            Item::Process(..) => 'c',
            Item::Register(..) => 'r',
            Item::Memory(..) => 'm',
            Item::Struct(..) => 's',
            Item::Function(..) => 'f',
            Item::Instance(..) => 'u',
            Item::Form(form, _) => form.letter(),
        }
    }
}
