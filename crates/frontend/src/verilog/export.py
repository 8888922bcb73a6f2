"""Writes a SystemVerilog design, as slang has elaborated it, for propcov to read.

It walks and writes, and decides nothing: what a design means is decided in Rust, where it is tested. One record is one line of
JSON. A record refers only to records before it, by their position among those of the same kind (files, types, scopes, symbols,
expressions, events, statements), so that a reader needs neither recursion nor a second pass. Only subroutines are numbered before their
bodies come, because they may call each other. The text of each source file follows its record as it is.

The arguments are those of slang, behind some of our own. Its messages go to standard error, as its users know them.
"""

import sys

# Nothing from the directory that the design is in: a file there may be called json.py.
sys.path[:] = [place for place in sys.path if place]

import json
import os
import re
import threading

FORMAT = 4
OLDEST, NEWEST = (12, 0), (13, 0)
MISSING, UNFIT, REJECTED = 3, 4, 5
LARGEST_DATA = 1 << 28


def load():
    """The bindings of slang, or the end of the program with a code of its own."""
    try:
        import pyslang
        import pyslang.ast
        import pyslang.driver
        import pyslang.syntax
    except ImportError as error:
        version = "none" if error.name == "pyslang" else getattr(sys.modules.get("pyslang"), "__version__", "unknown")
        print(version, file=sys.stderr)
        sys.exit(MISSING if version == "none" else UNFIT)
    numbers = tuple(int(part) for part in pyslang.__version__.split(".")[:2] if part.isdigit())
    if not OLDEST <= numbers < NEWEST:
        print(pyslang.__version__, file=sys.stderr)
        sys.exit(UNFIT)
    return pyslang


class Writer:
    """Writes records and counts them by kind."""

    def __init__(self, out):
        self.out = out
        self.counts = {}
        self.encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode

    def add(self, kind, *fields):
        """Writes a record; returns its position among those of its kind."""
        position = self.counts.get(kind, 0)
        self.counts[kind] = position + 1
        self.out.write(self.encode({kind: fields}).encode() + b"\n")
        return position

    def raw(self, text):
        self.out.write(text)
        self.out.write(b"\n")


class Exporter:
    """One elaborated design."""

    def __init__(self, pyslang, driver, defaults, arguments, out):
        self.pyslang, self.ast = pyslang, pyslang.ast
        self.sources, compilation = driver.sourceManager, defaults.compilation
        self.compilation = compilation
        self.write = Writer(out)
        self.anywhere = self.ast.EvalContext(compilation.getRoot())
        # By buffer: the number of a file, or None for what a macro has written.
        self.files = {}
        # Keys stay alive here, as slang's objects are told apart by where they are.
        self.types, self.scopes, self.symbols, self.routines = {}, {}, {}, {}
        self.waiting = []
        # Blocks and routines that something in them leaves by their names.
        self.disabled = {}
        # The scopes of the current module that are open, from the inside out: they may have defaults of assertions.
        self.around = []
        # The conditions of `default disable iff`, and the clock of the process that is written.
        self.defaults, self.clock_of_process = defaults, None
        # Actions of assertions that assign something, by place, and what anything else mentions, but for what plain assignments assign.
        self.acted, self.mentioned = [], set()
        # What is written for the formals of the sequence, property or checker that is being written.
        self.arguments = {}
        # Arguments of sequences and properties that are local variables.
        self.formals = set()
        self.has_covergroups = False
        # Where everything is at the moment, if that is one place.
        self.place = None
        # Files that are read while the design begins, by path, and where files with a name are.
        self.loaded, self.listed = {}, arguments.listed
        # The place that was written last.
        self.nearby = [0, 0, 0]
        # Files that slang reads in other words, as they are written.
        self.written = arguments.written
        # Signals that are free, by module and name, and whether they have been seen.
        self.cuts = dict.fromkeys(arguments.cuts, False)
        self.given = {os.path.realpath(word): word for word in arguments.words if os.path.isfile(word)}
        self.given.update(arguments.shown)

    # Places ---------------------------------------------------------------------------------------------------------

    def file(self, buffer):
        if buffer.id not in self.files:
            here = self.pyslang.SourceLocation(buffer, 0)
            if self.sources.isMacroLoc(here):
                self.files[buffer.id] = None
            else:
                self.files[buffer.id] = self.new_file(buffer, here)
        return self.files[buffer.id]

    def new_file(self, buffer, here):
        text = self.written.get(str(self.sources.getFullPath(buffer))) or self.sources.getSourceText(buffer)
        text = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
        # slang ends each text with a zero.
        text = text[:-1] if text.endswith(b"\0") else text
        position = self.write.add("File", self.path(buffer, here), len(text))
        self.write.raw(text)
        return position

    def path(self, buffer, here):
        """The path of a file as the user has given it, or else the shortest one."""
        full = str(self.sources.getFullPath(buffer))
        near = str(self.sources.getFileName(here))
        return self.given.get(full) or (full if near.startswith("..") else near)

    def end_of_place(self, location, is_end):
        """Where a place begins or ends in a file: what a macro has written is where the macro is used."""
        location = self.in_file(location, is_end)
        return self.file(location.buffer), location.offset

    def in_file(self, location, is_end):
        while self.file(location.buffer) is None:
            used = self.sources.getExpansionRange(location)
            location = used.end if is_end else used.start
        return location

    def at(self, span):
        if self.place is not None:
            return self.place
        # What slang has added by itself, such as the bits for each of an array of instances, is where its cause is.
        if not span.start.buffer or span.start.offset >= 1 << 32:
            return self.nearby
        file, start = self.end_of_place(span.start, False)
        other, end = self.end_of_place(span.end, True)
        self.nearby = [file, start, max(start, end) if file == other else start]
        return self.nearby

    def as_written(self, span):
        """The same, but what is all within the arguments of a macro is where they are written."""
        ends = []
        for location in (span.start, span.end):
            while self.file(location.buffer) is None:
                if not self.sources.isMacroArgLoc(location):
                    return self.at(span)
                location = self.sources.getOriginalLoc(location)
            ends.append((self.file(location.buffer), location.offset))
        (file, start), (other, end) = ends
        return [file, start, end] if file == other and start < end else self.at(span)

    def at_symbol(self, symbol):
        if not symbol.location.buffer:
            return None
        file, start = self.end_of_place(symbol.location, False)
        return [file, start, start + len(symbol.name.encode())]

    # Types ----------------------------------------------------------------------------------------------------------

    def type(self, kind):
        kind = kind.canonicalType
        if kind not in self.types:
            self.types[kind] = self.new_type(kind)
        return self.types[kind]

    def new_type(self, kind):
        # First, because records of what it is made of come before its own.
        shape = self.type_shape(kind)
        return self.write.add("Type", shape, self.first_value(kind))

    def first_value(self, kind):
        """What a variable has before anybody gives it a value: zero, unknown, or by the parts that it is made of."""
        kinds = self.ast.SymbolKind
        if not kind.isFourState:
            return "Zero"
        unpacked = (kinds.UnpackedStructType, kinds.UnpackedUnionType, kinds.FixedSizeUnpackedArrayType)
        return "Parts" if kind.kind in unpacked else "Unknown"

    def type_shape(self, kind):
        kinds = self.ast.SymbolKind
        sign = bool(kind.isSigned)
        if kind.kind in (kinds.PackedStructType, kinds.UnpackedStructType):
            return {"Struct": [self.fields(kind), sign]}
        if kind.kind in (kinds.PackedUnionType, kinds.UnpackedUnionType):
            tag = kind.kind == kinds.PackedUnionType and kind.tagBits or 0
            if kind.isTaggedUnion and tag == 0:
                return {"Other": "tagged union"}
            return {"Union": [self.fields(kind), sign, tag]}
        if kind.kind in (kinds.PackedArrayType, kinds.FixedSizeUnpackedArrayType):
            element = self.type(kind.elementType)
            packed = kind.kind == kinds.PackedArrayType
            return {"Array": [element, kind.range.left, kind.range.right, packed, sign]}
        if kind.kind == kinds.EnumType:
            return {"Enum": self.type(kind.baseType)}
        if kind.isIntegral:
            return {"Bits": [kind.bitWidth, sign]}
        if kind.isVoid:
            return "Void"
        return {"Other": str(kind)}

    def fields(self, kind):
        return [self.type(field.type) for field in kind if field.kind == self.ast.SymbolKind.Field]

    # Constants ------------------------------------------------------------------------------------------------------

    def bits(self, constant):
        """A constant as binary digits, the first element of an array or structure in front; None if it has none."""
        value = constant.value if isinstance(constant, self.pyslang.ConstantValue) else constant
        if isinstance(value, self.pyslang.SVInt):
            if value.hasUnknown:
                return value.toString(self.pyslang.LiteralBase.Binary, False).rjust(value.bitWidth, "0")
            return format(int(value) % (1 << value.bitWidth), f"0{value.bitWidth}b")
        if isinstance(value, list):
            parts = [self.bits(part) for part in value]
            return None if None in parts else "".join(parts)
        return None

    def constant(self, constant):
        """A constant as an expression, without the zeros in front; None if it has no bits."""
        digits = self.bits(constant)
        return None if digits is None else {"Const": digits.lstrip("0")}

    # Scopes and symbols ---------------------------------------------------------------------------------------------

    def scope(self, path):
        """The number of a scope, by its path from the top."""
        if path not in self.scopes:
            self.scopes[path] = self.write.add("Scope", path)
        return self.scopes[path]

    def scope_of(self, symbol):
        # Unnamed blocks are empty words in a path.
        path = symbol.hierarchicalPath
        return self.scope(path[: max(0, len(path) - len(symbol.name) - 1)])

    def symbol(self, symbol):
        """The number of a variable, net or argument."""
        if symbol.kind == self.ast.SymbolKind.ModportPort and symbol.internalSymbol is not None:
            return self.symbol(symbol.internalSymbol)
        if symbol not in self.symbols:
            if self.place is not None:
                # It is where it is declared.
                return self.within(self.around, lambda: self.symbol(symbol))
            kind = symbol.kind.name
            automatic = getattr(symbol, "lifetime", None) == self.ast.VariableLifetime.Automatic
            if kind == "Net":
                kind = symbol.netType.netKind.name
            names = [RANDOM.get(attribute.name.rstrip("_"), attribute.name) for attribute in self.compilation.getAttributes(symbol)]
            if self.cuts and (cut := (getattr(symbol.declaringDefinition, "name", ""), symbol.name)) in self.cuts:
                self.cuts[cut] = True
                names.append("anyseq")
            if symbol in self.formals:
                names.append("local argument")
            scope, type = self.scope_of(symbol), self.type(symbol.type)
            place = self.at_symbol(symbol)
            knows_x = bool(symbol.type.isFourState)
            self.symbols[symbol] = self.write.add("Symbol", scope, symbol.name, type, kind, automatic, place, names, knows_x)
            initial = symbol.initializer
            if initial is not None and symbol.kind in (self.ast.SymbolKind.Variable, self.ast.SymbolKind.Net):
                self.write.add("Initial", self.symbols[symbol], self.expression(initial))
        return self.symbols[symbol]

    def routine(self, routine):
        if routine not in self.routines:
            self.routines[routine] = len(self.routines)
            self.waiting.append(routine)
        return self.routines[routine]

    def bodies(self):
        """The routines that were called, and those that they call. Their order is that of their numbers."""
        while self.waiting:
            routine = self.waiting.pop(0)
            arguments = [[self.symbol(argument), argument.direction.name] for argument in routine.arguments]
            result = None if routine.returnValVar is None else self.symbol(routine.returnValVar)
            body, span = self.statement(routine.body), routine.body.sourceRange
            if routine in self.disabled:
                body = self.write.add("Stmt", self.at(span), self.left({"List": [body]}, routine, span))
            self.write.add("Routine", routine.name, arguments, result, body, self.at_symbol(routine))

    # Expressions ----------------------------------------------------------------------------------------------------

    def expression(self, e):
        what = self.constant(e.constant) if e.constant is not None else None
        what = what or self.shape(e)
        return self.write.add("Expr", self.at(e.sourceRange), self.type(e.type), what)

    def maybe(self, e):
        return None if e is None else self.expression(e)

    def all(self, expressions):
        return [self.expression(e) for e in expressions]

    def shape(self, e):
        write = getattr(self, "e_" + e.kind.name, None)
        return {"Other": e.kind.name} if write is None else write(e)

    def e_NamedValue(self, e):
        symbol = e.symbol
        if symbol.kind in (self.ast.SymbolKind.Parameter, self.ast.SymbolKind.EnumValue, self.ast.SymbolKind.Specparam):
            return self.constant(symbol.value) or {"Other": "parameter " + symbol.name}
        if symbol.kind == self.ast.SymbolKind.ClockVar and symbol.initializer is not None:
            return {"Convert": [self.expression(symbol.initializer), "Implicit"]}
        if not symbol.isValue:
            return {"Other": symbol.kind.name}
        if symbol.kind == self.ast.SymbolKind.ModportPort and symbol.explicitConnection is not None:
            return self.shape(symbol.explicitConnection)
        self.mentioned.add(symbol)
        return {"Value": self.symbol(symbol)}

    e_HierarchicalValue = e_NamedValue

    def e_IntegerLiteral(self, e):
        return self.constant(e.value)

    e_UnbasedUnsizedIntegerLiteral = e_IntegerLiteral

    def e_StringLiteral(self, e):
        return self.constant(e.intValue)

    def e_UnaryOp(self, e):
        return {"Unary": [e.op.name, self.expression(e.operand)]}

    def e_BinaryOp(self, e):
        return {"Binary": [e.op.name, self.expression(e.left), self.expression(e.right)]}

    def e_ConditionalOp(self, e):
        if any(condition.pattern is not None for condition in e.conditions):
            return {"Other": "pattern"}
        conditions = self.all(condition.expr for condition in e.conditions)
        return {"Conditional": [conditions, self.expression(e.left), self.expression(e.right)]}

    def e_Assignment(self, e):
        if e.timingControl is not None:
            if e.timingControl.kind != self.ast.TimingControlKind.Delay:
                return {"Other": "an event in an assignment"}
            self.write.add("Delay", self.at(e.timingControl.sourceRange))
        target = e.left.symbol if e.left.kind == self.ast.ExpressionKind.NamedValue and not e.isCompound else None
        is_new = target is not None and target not in self.mentioned
        left = self.expression(e.left)
        if is_new:
            self.mentioned.discard(target)
        return {"Assign": [left, self.expression(e.right), e.isNonBlocking]}

    def e_Concatenation(self, e):
        return {"Concat": self.all(e.operands)}

    def e_Replication(self, e):
        return {"Replicate": [self.expression(e.count), self.expression(e.concat)]}

    def e_ElementSelect(self, e):
        return {"Element": [self.expression(e.value), self.expression(e.selector)]}

    def e_RangeSelect(self, e):
        parts = [self.expression(part) for part in (e.value, e.left, e.right)]
        return {"Range": [e.selectionKind.name, *parts]}

    def e_MemberAccess(self, e):
        if e.member.kind != self.ast.SymbolKind.Field:
            return {"Other": "member " + e.member.name}
        return {"Member": [self.expression(e.value), e.member.fieldIndex]}

    def e_Conversion(self, e):
        return {"Convert": [self.expression(e.operand), e.conversionKind.name]}

    def e_Call(self, e):
        if e.isSystemCall and e.subroutineName in ("$readmemh", "$readmemb"):
            return self.load(e)
        if e.isSystemCall and e.subroutineName == "$inferred_disable":
            inferred = self.default_disable(self.inferring(e))
            return {"Const": ""} if inferred is None else {"Convert": [inferred, "Implicit"]}
        if e.isSystemCall:
            # Questions about types, such as $left(a), have an answer although `a` is a signal.
            known = None if e.type.isVoid else self.constant(e.eval(self.anywhere))
            return known or {"System": self.system_call(e)}
        if e.subroutine.flags & self.ast.MethodFlags.DPIImport:
            return {"Other": f"DPI function {e.subroutine.name}"}
        arguments = self.all(e.arguments)
        return {"Call": [self.routine(e.subroutine), arguments]}

    def system_call(self, e):
        """The name and the arguments. Those of a method of an enumeration are behind its members, in order; one that has a `with` is called so."""
        name, arguments = e.subroutineName, list(e.arguments)
        if name in SAMPLED_GLOBALLY and (event := self.global_event()) is not None:
            place = self.at(e.sourceRange)
            nothing = self.write.add("Expr", place, self.type(self.compilation.voidType), "Empty")
            clock = self.write.add("Expr", place, self.type(self.compilation.voidType), {"Clock": event})
            name = name.removesuffix("_gclk")
            return [name, [self.expression(arguments[0]), *([nothing] * 2 if name == "$past" else []), clock]]
        if not name.startswith("$") and arguments and arguments[0].type.isEnum:
            members = [member for member in arguments[0].type.canonicalType if member.kind == self.ast.SymbolKind.EnumValue]
            place, kind = self.at(e.sourceRange), self.type(arguments[0].type)
            members = [self.write.add("Expr", place, kind, self.constant(member.value)) for member in members]
            return [f"{name} of {len(members)} members", [*members, *self.all(arguments)]]
        if e.syntax is not None and e.syntax.kind == self.pyslang.syntax.SyntaxKind.ArrayOrRandomizeMethodExpression:
            name += " with"
        return [name, self.all(arguments)]

    def load(self, e):
        """A memory from a file, which is written as it is."""
        name = self.string(e.arguments[0])
        target = e.arguments[1]
        target = self.expression(target.left if target.kind == self.ast.ExpressionKind.Assignment else target)
        file = None if name is None else self.data(name, e.sourceRange.start)
        return {"Load": [e.subroutineName == "$readmemb", name, file, target, self.all(e.arguments[2:])]}

    def string(self, e):
        """The text of a constant; None if it is none."""
        value = e.eval(self.anywhere).value
        if isinstance(value, self.pyslang.SVInt) and not value.hasUnknown:
            value = int(value).to_bytes((value.bitWidth + 7) // 8, "big").lstrip(b"\0").decode("utf-8", "replace")
        return value if isinstance(value, str) else None

    def data(self, name, location):
        """The number of a file that is read by name: as it is listed, from here, or beside the source; None if there is none."""
        source = self.in_file(location, False).buffer
        beside = os.path.dirname(str(self.sources.getFullPath(source)))
        for path in (self.listed.get(name, name), os.path.join(beside, name)):
            if os.path.isfile(path) and os.path.getsize(path) <= LARGEST_DATA:
                if path not in self.loaded:
                    with open(path, "rb") as file:
                        text = file.read()
                    self.loaded[path] = self.write.add("File", path, len(text))
                    self.write.raw(text)
                return self.loaded[path]
        return None

    def e_Inside(self, e):
        return {"Inside": [self.expression(e.left), self.all(e.rangeList)]}

    def e_ValueRange(self, e):
        return {"Between": [self.expression(e.left), self.expression(e.right)]}

    def e_SimpleAssignmentPattern(self, e):
        return {"Pattern": self.all(e.elements)}

    e_StructuredAssignmentPattern = e_SimpleAssignmentPattern

    def e_ReplicatedAssignmentPattern(self, e):
        return {"Pattern": int(e.count.eval(self.anywhere).value) * self.all(e.elements)}

    def e_Streaming(self, e):
        if any(stream.withExpr is not None for stream in e.streams):
            return {"Other": "streaming with a range"}
        return {"Stream": [e.sliceSize, self.all(stream.operand for stream in e.streams)]}

    def e_MinTypMax(self, e):
        return {"Convert": [self.expression(e.selected), "Implicit"]}

    def e_LValueReference(self, _):
        return "Target"

    def e_EmptyArgument(self, _):
        return "Empty"

    def e_UnboundedLiteral(self, _):
        return "Unbounded"

    def e_AssertionInstance(self, e):
        if e.body is None or e.isRecursiveProperty:
            return {"Other": "a property that uses itself"}
        # An argument that is local has no declaration of its own.
        self.formals.update(variable for variable in e.localVars if variable.syntax is None)
        variables = [[self.symbol(variable), self.maybe(variable.initializer)] for variable in e.localVars]
        outer, self.arguments = self.arguments, self.argument_texts(e)
        body = self.property(e.body)
        self.arguments = outer
        return {"Property": [body, variables]}

    def argument_texts(self, e):
        """By formal of a sequence or property: what was written for it where it is used."""
        kinds, syntax = self.pyslang.syntax.SyntaxKind, e.syntax
        while syntax is not None and syntax.kind in (kinds.SimplePropertyExpr, kinds.SimpleSequenceExpr):
            syntax = syntax.expr
        given = getattr(getattr(syntax, "arguments", None), "parameters", None)
        texts, ports = {}, [port.name for port in getattr(e.symbol, "ports", ())]
        for position, argument in enumerate(part for part in given or () if not isinstance(part, self.pyslang.parsing.Token)):
            if argument.kind == kinds.NamedArgument:
                name = argument.name.valueText
            elif argument.kind == kinds.OrderedArgument and position < len(ports):
                name = ports[position]
            else:
                continue
            text = expanded(self.pyslang, argument.expr) if argument.expr is not None else ""
            texts[name] = self.arguments.get(text.strip(), text).strip()
        return texts

    def e_ClockingEvent(self, e):
        return {"Clock": self.event(e.timingControl)}

    # Events and properties ------------------------------------------------------------------------------------------

    def event(self, timing):
        kinds = self.ast.TimingControlKind
        if timing.kind == kinds.SignalEvent and timing.expr.kind == self.ast.ExpressionKind.ArbitrarySymbol:
            # The event of a clocking block.
            inner = getattr(timing.expr.symbol, "event", None)
            if inner is not None:
                return self.event(inner)
        if timing.kind == kinds.SignalEvent and (known := self.named_event(timing)) is not None:
            return known
        if timing.kind == kinds.SignalEvent:
            edge = timing.edge.name.rstrip("_")
            what = {"Signal": [edge, self.expression(timing.expr), self.maybe(timing.iffCondition)]}
        elif timing.kind == kinds.EventList:
            what = {"List": [self.event(event) for event in timing.events]}
        elif timing.kind == kinds.ImplicitEvent:
            what = "Implicit"
        else:
            what = {"Other": timing.kind.name}
        return self.write.add("Event", self.at(timing.sourceRange), what)

    def property(self, p):
        """A node of an assertion with its place: that of the expression it is, or else what was written around it."""
        write = getattr(self, "p_" + p.kind.name, None)
        what = {"Other": p.kind.name} if write is None else write(p)
        syntax, span = p.syntax, None
        if p.kind == self.ast.AssertionExprKind.Simple and (syntax is None or p.repetition is None):
            # The range of a method does not have its name in it.
            is_method = p.expr.kind == self.ast.ExpressionKind.Call and p.expr.syntax is not None
            span = p.expr.syntax.sourceRange if is_method else p.expr.sourceRange
        elif syntax is not None:
            span = syntax.sourceRange
        if p.kind == self.ast.AssertionExprKind.Simple and p.repetition is None and p.expr.kind == self.ast.ExpressionKind.AssertionInstance and p.expr.syntax is not None:
            # With its arguments.
            span = p.expr.syntax.sourceRange
        place = None if span is None else self.as_written(span)
        formal = str(syntax).strip() if self.arguments and syntax is not None else None
        actual = self.arguments.get(formal)
        if actual is not None and actual != formal and place is not None:
            return self.write.add("Property", place, what, f"{formal} = {' '.join(actual.split())}")
        text = expanded(self.pyslang, syntax) if span is not None and syntax is not None and self.is_of_macro(span) else None
        return self.write.add("Property", place, what, text)

    def is_of_macro(self, span):
        """Whether not all of it is written in one place: a macro has it, or several of its arguments."""
        outside = [self.file(location.buffer) is None for location in (span.start, span.end)]
        in_body = any(is_outside and not self.sources.isMacroArgLoc(location)
                      for is_outside, location in zip(outside, (span.start, span.end)))
        return in_body or (any(outside) and span.start.buffer != span.end.buffer)

    def maybe_property(self, p):
        return None if p is None else self.property(p)

    def span_of_ticks(self, ticks):
        return None if ticks is None else [ticks.min, ticks.max]

    def repetition(self, p):
        return None if p.repetition is None else [p.repetition.kind.name, *self.span_of_ticks(p.repetition.range)]

    def p_Simple(self, p):
        return {"Simple": [self.expression(p.expr), self.repetition(p)]}

    def p_SequenceConcat(self, p):
        return {"Concat": [[*self.span_of_ticks(part.delay), self.property(part.sequence)] for part in p.elements]}

    def p_SequenceWithMatch(self, p):
        return {"Matched": [self.property(p.expr), self.repetition(p), self.match_items(p.matchItems)]}

    def p_FirstMatch(self, p):
        return {"FirstMatch": [self.property(p.seq), self.match_items(p.matchItems)]}

    def match_items(self, items):
        """What happens at the end of a sequence but for calls, which have to do no more than the action of an assertion may."""
        assignments = []
        for item in items:
            if item.kind != self.ast.ExpressionKind.Call:
                assignments.append(item)
                continue
            effects = Effects(self.ast)
            why = effects.value(item)
            if why is not None:
                self.write.add("Refused", self.at(item.sourceRange), why)
            elif effects.written:
                self.acted.append((self.at(item.sourceRange), effects.written))
        return self.all(assignments)

    def p_Unary(self, p):
        return {"Unary": [p.op.name, self.span_of_ticks(p.range), self.property(p.expr)]}

    def p_Binary(self, p):
        return {"Binary": [p.op.name, self.property(p.left), self.property(p.right)]}

    def p_Clocking(self, p):
        return {"Clocked": [self.event(p.clocking), self.property(p.expr)]}

    def p_StrongWeak(self, p):
        return {"Strength": [p.strength == p.Strength.Strong, self.property(p.expr)]}

    def p_Abort(self, p):
        return {"Abort": [p.action == p.Action.Accept, self.expression(p.condition), self.property(p.expr)]}

    def p_Conditional(self, p):
        return {"If": [self.expression(p.condition), self.property(p.ifExpr), self.maybe_property(p.elseExpr)]}

    def p_Case(self, p):
        items = [[self.all(item.expressions), self.property(item.body)] for item in p.items]
        return {"Case": [self.expression(p.expr), items, self.maybe_property(p.defaultCase)]}

    def p_DisableIff(self, p):
        return {"DisableIff": [self.expression(p.condition), self.property(p.expr)]}

    # Defaults of assertions -----------------------------------------------------------------------------------------

    def default_clock(self, around=None):
        """The event of the default clocking that holds here: that of the innermost scope that has one."""
        around = self.around if around is None else around
        for position, scope in enumerate(around):
            event = self.clocking_of(scope)
            if event is not None:
                return self.within(around[position:], lambda: self.event(event))
        return None

    def clocking_of(self, scope):
        """The event of the default clocking of a scope."""
        for member in scope:
            if member.kind == self.ast.SymbolKind.ClockingBlock and self.is_named(member.syntax, "default"):
                return member.event
        for item in self.items(scope):
            if item.kind == self.pyslang.syntax.SyntaxKind.DefaultClockingReference:
                return scope.lookupName(str(item.name).strip()).event
        return None

    def default_disable(self, around=None):
        """The condition of `default disable iff` that holds here. slang keeps it to itself, see `Defaults`; in generate blocks and checkers it is read from the syntax."""
        around = self.around if around is None else around
        for position, scope in enumerate(around):
            for item in self.items(scope):
                if item.kind == self.pyslang.syntax.SyntaxKind.DefaultDisableDeclaration:
                    known = self.defaults.condition(scope)
                    place = self.at(item.expr.sourceRange)
                    write = (lambda: self.plain(item.expr, scope)) if known is None else (lambda: self.expression(known))
                    return self.within(around[position:], write, place)
        return None

    def within(self, around, write, place=None):
        """Writes something as it is meant in other scopes, at a place if it has none of its own."""
        outer = self.around, self.place
        self.around, self.place = around, place
        written = write()
        self.around, self.place = outer
        return written

    def is_named(self, syntax, word):
        return syntax is not None and syntax.globalOrDefault.valueText == word

    def items(self, scope):
        return getattr(scope.syntax, "members", ())

    def inferring(self, call):
        """The scopes whose defaults are inferred: those around a checker, if it is the first value of one of its formals."""
        name = str(call.syntax).strip("( )\t\r\n") if call.syntax is not None else ""
        for position, scope in enumerate(self.around):
            checker = getattr(scope, "checker", None)
            ports = getattr(getattr(checker, "syntax", None), "portList", None)
            if ports is not None and (name in [port.name for port in checker.ports] or self.has_within(ports.sourceRange, call.sourceRange)):
                return self.around[position + 1 :]
        return self.around

    def has_within(self, outer, inner):
        start, end, at = outer.start, outer.end, inner.start
        return start.buffer.id == at.buffer.id and start.offset <= at.offset < end.offset

    def named_event(self, timing):
        """What `$inferred_clock` or `$global_clock` stands for; None if it is neither, or there is no such clock."""
        e = timing.expr
        if e.kind != self.ast.ExpressionKind.Call or not e.isSystemCall:
            return None
        if e.subroutineName == "$inferred_clock":
            around = self.inferring(e)
            return self.clock_of_process if around is self.around and self.clock_of_process is not None else self.default_clock(around)
        if e.subroutineName == "$global_clock":
            return self.global_event()
        return None

    def global_event(self):
        """The event of the global clocking; None if there is none in this module."""
        for position, scope in enumerate(self.around):
            for member in scope:
                if member.kind == self.ast.SymbolKind.ClockingBlock and self.is_named(member.syntax, "global"):
                    return self.within(self.around[position:], lambda: self.event(member.event))
        return None

    def plain(self, syntax, scope):
        """An expression of names of one bit, logical operators and comparisons with 0 and 1, by its syntax."""
        kinds, place = self.pyslang.syntax.SyntaxKind, self.at(syntax.sourceRange)
        operators = {
            kinds.LogicalAndExpression: "LogicalAnd", kinds.LogicalOrExpression: "LogicalOr",
            kinds.BinaryAndExpression: "BinaryAnd", kinds.BinaryOrExpression: "BinaryOr",
        }
        is_equal = {
            kinds.EqualityExpression: True, kinds.CaseEqualityExpression: True,
            kinds.InequalityExpression: False, kinds.CaseInequalityExpression: False,
        }
        if syntax.kind == kinds.ParenthesizedExpression:
            return self.plain(syntax.expression, scope)
        if syntax.kind in is_equal:
            constants = [self.plain_bit(part) for part in (syntax.left, syntax.right)]
            if constants.count(None) == 1:
                other, constant = (syntax.left, constants[1]) if constants[0] is None else (syntax.right, constants[0])
                inner = self.plain(other, scope)
                if is_equal[syntax.kind] == bool(constant):
                    return inner
                return self.write.add("Expr", place, self.type(self.compilation.bitType), {"Unary": ["LogicalNot", inner]})
        if (constant := self.plain_bit(syntax)) is not None:
            return self.write.add("Expr", place, self.type(self.compilation.bitType), {"Const": format(constant, "b")})
        what, bit = {"Other": "this condition of default disable iff in a generate block or checker"}, self.type(self.compilation.bitType)
        if syntax.kind in (kinds.UnaryLogicalNotExpression, kinds.UnaryBitwiseNotExpression):
            what = {"Unary": ["LogicalNot", self.plain(syntax.operand, scope)]}
        elif syntax.kind in operators:
            parts = [self.plain(part, scope) for part in (syntax.left, syntax.right)]
            what = {"Binary": [operators[syntax.kind], *parts]}
        elif syntax.kind in (kinds.IdentifierName, kinds.ScopedName):
            symbol = scope.lookupName(str(syntax).strip())
            if symbol is not None and symbol.kind == self.ast.SymbolKind.AssertionPort:
                actual = self.actual(symbol, scope)
                if actual is not None:
                    return self.expression(actual)
            if symbol is not None and symbol.isValue and symbol.type.isIntegral and symbol.type.bitWidth == 1:
                what, bit = {"Value": self.symbol(symbol)}, self.type(symbol.type)
        return self.write.add("Expr", place, bit, what)

    def actual(self, port, scope):
        """What a formal of a checker stands for."""
        instance = scope.parentInstance
        for connection in instance.portConnections:
            if connection.formal == port and isinstance(connection.actual, self.ast.Expression):
                return connection.actual
        return None

    def plain_bit(self, syntax):
        """The value of a literal that is 0 or 1; of a name of one bit these are all that it is compared with."""
        text = re.sub(r"\s", "", str(syntax).strip()).lower()
        return {"0": 0, "1": 1, "'0": 0, "'1": 1, "1'b0": 0, "1'b1": 1, "1'd0": 0, "1'd1": 1, "1'h0": 0, "1'h1": 1}.get(text)

    # Statements -----------------------------------------------------------------------------------------------------

    def statement(self, s):
        write = getattr(self, "s_" + s.kind.name, None)
        what = {"Other": s.kind.name} if write is None else write(s)
        return self.write.add("Stmt", self.at(s.sourceRange), what)

    def maybe_statement(self, s):
        return None if s is None else self.statement(s)

    def s_Empty(self, _):
        return {"List": []}

    def s_List(self, s):
        return {"List": [self.statement(part) for part in s.list]}

    def s_Block(self, s):
        if s.blockKind != self.ast.StatementBlockKind.Sequential:
            return {"Other": "fork"}
        name = "" if s.blockSymbol is None else s.blockSymbol.name
        return self.left({"Block": [name, self.statement(s.body)]}, s.blockSymbol, s.sourceRange)

    def left(self, block, symbol, span):
        """A block, or one that something in it leaves by its name."""
        if symbol not in self.disabled:
            return block
        return {"Disabled": [self.disabled[symbol], self.write.add("Stmt", self.at(span), block)]}

    def s_Disable(self, s):
        symbol = getattr(s.target, "symbol", None)
        if symbol is None or symbol.kind not in (self.ast.SymbolKind.StatementBlock, self.ast.SymbolKind.Subroutine):
            return {"Other": "disable of what is no block"}
        return {"Disable": self.disabled.setdefault(symbol, len(self.disabled))}

    def s_ExpressionStatement(self, s):
        made = s.expr.right.kind if s.expr.kind == self.ast.ExpressionKind.Assignment else None
        if samples(self.ast, s.expr) or made == self.ast.ExpressionKind.NewCovergroup:
            return {"List": []}
        return {"Expr": self.expression(s.expr)}

    def s_VariableDeclaration(self, s):
        symbol = s.symbol
        return {"Declare": [self.symbol(symbol), self.maybe(symbol.initializer)]}

    def s_Conditional(self, s):
        if any(condition.pattern is not None for condition in s.conditions):
            return {"Other": "pattern"}
        conditions = self.all(condition.expr for condition in s.conditions)
        return {"If": [conditions, self.statement(s.ifTrue), self.maybe_statement(s.ifFalse), s.check.name.rstrip("_")]}

    def s_Case(self, s):
        subject = self.expression(s.expr)
        items = [[self.all(item.expressions), self.statement(item.stmt)] for item in s.items]
        other = self.maybe_statement(s.defaultCase)
        attributes = [attribute.name for attribute in self.compilation.getAttributes(s)]
        return {"Case": [s.condition.name, s.check.name.rstrip("_"), subject, items, other, attributes]}

    def s_ForLoop(self, s):
        declared = [[self.symbol(variable), self.expression(variable.initializer)] for variable in s.loopVars]
        before = self.all(s.initializers)
        return {"For": [declared, before, self.maybe(s.stopExpr), self.all(s.steps), self.statement(s.body)]}

    def s_RepeatLoop(self, s):
        return {"Repeat": [self.expression(s.count), self.statement(s.body)]}

    def s_WhileLoop(self, s):
        return {"While": [self.expression(s.cond), self.statement(s.body)]}

    def s_DoWhileLoop(self, s):
        return {"DoWhile": [self.expression(s.cond), self.statement(s.body)]}

    def s_ForeverLoop(self, s):
        return {"Forever": self.statement(s.body)}

    def s_ForeachLoop(self, s):
        dimensions = []
        for dimension in s.loopDims:
            if dimension.range is None:
                return {"Other": "foreach over a size that changes"}
            variable = None if dimension.loopVar is None else self.symbol(dimension.loopVar)
            dimensions.append([dimension.range.left, dimension.range.right, variable])
        return {"Foreach": [dimensions, self.statement(s.body)]}

    def s_Return(self, s):
        return {"Return": self.maybe(s.expr)}

    def s_Break(self, _):
        return "Break"

    def s_Continue(self, _):
        return "Continue"

    def s_Timed(self, s):
        event = self.event(s.timing)
        outer = self.clock_of_process
        if s.timing.kind == self.ast.TimingControlKind.SignalEvent:
            self.clock_of_process = event
        body = self.statement(s.stmt)
        self.clock_of_process = outer
        return {"Timed": [event, body]}

    def s_ImmediateAssertion(self, s):
        here = self.in_file(s.sourceRange.start, False)
        text = self.written.get(str(self.sources.getFullPath(here.buffer)), b"")
        kind = "Restrict" if text.startswith(b"restrict", here.offset) else s.assertionKind.name
        return self.acting(s) or {"Assert": [kind, self.expression(s.cond)]}

    def acting(self, s):
        """What an assertion does besides, unless it only reports, or assigns what nobody else reads."""
        effects = Effects(self.ast)
        why = effects.of(s.ifTrue) or effects.of(s.ifFalse)
        if why is None and effects.written:
            # Whether anybody reads it is known when all is written.
            self.acted.append((self.at(s.sourceRange), effects.written))
        return None if why is None else {"Other": why}

    def s_ConcurrentAssertion(self, s):
        clock, disable = self.default_clock(), self.default_disable()
        return self.acting(s) or {"Concurrent": [s.assertionKind.name, self.property(s.propertySpec), clock, disable]}

    def s_ProceduralChecker(self, _):
        return {"Other": "a checker in a process"}

    # The hierarchy --------------------------------------------------------------------------------------------------

    def design(self):
        tops = list(self.compilation.getRoot().topInstances)
        # Modules that only bind others to instances have nothing in them.
        for top in [top for top in tops if self.has_content(top)] or tops:
            self.write.add("Top", top.name, self.scope(top.hierarchicalPath))
            for port in top.body.portList:
                self.top_port(port)
            self.members(top.body, top.hierarchicalPath)
        for package in self.compilation.getPackages():
            self.variables(package)
        for unit in self.compilation.getCompilationUnits():
            self.variables(unit)
        self.bodies()
        self.actions()
        for (module, name), is_seen in self.cuts.items():
            if not is_seen:
                self.write.add("Refused", None, f"cutpoint of {module}/{name}, which is no signal of the design,")
        self.write.add("End")

    def actions(self):
        """Refuses actions of assertions that assign what the rest of the design mentions; the others are ignored."""
        for place, written in self.acted:
            for name in sorted({symbol.name for symbol in written & self.mentioned}):
                self.write.add("Refused", place, f"an assertion whose action assigns {name}, which the design uses elsewhere,")
        if self.acted:
            names = sorted({symbol.name for _, written in self.acted for symbol in written})
            what = "action of an assertion is" if len(self.acted) == 1 else "actions of assertions are"
            note = f"{len(self.acted)} {what} ignored: nothing else uses what is assigned there ({', '.join(names)})"
            self.write.add("Note", self.acted[0][0], note)

    def has_content(self, top):
        return len(list(top.body.portList)) > 0 or any(True for _ in top.body)

    def top_port(self, port):
        inner = getattr(port, "internalSymbol", None)
        if port.kind != self.ast.SymbolKind.Port or (inner is None and not port.isNullPort):
            self.write.add("Refused", self.at_symbol(port), f"{port.kind.name} {port.name} of the top module")
        elif inner is not None:
            self.mentioned.add(inner)
            self.write.add("Port", self.symbol(inner), port.direction.name)
            self.port_start(port)

    def port_start(self, port):
        """What the variable of an output starts with, where that stands in the list of ports."""
        inner = port.internalSymbol
        is_output = port.direction == self.ast.ArgumentDirection.Out and inner is not None
        if is_output and port.initializer is not None and inner.kind == self.ast.SymbolKind.Variable:
            self.write.add("Initial", self.symbol(inner), self.expression(port.initializer))

    def variables(self, scope):
        """Variables with a value of packages and compilation units: they have no hierarchy."""
        for member in scope:
            if member.kind == self.ast.SymbolKind.Variable:
                self.symbol(member)

    def members(self, scope, path):
        outer = self.around
        is_module = scope.kind == self.ast.SymbolKind.InstanceBody
        self.around = [scope] if is_module else [scope, *outer]
        for member in scope:
            write = getattr(self, "m_" + member.kind.name, None)
            if write is not None:
                write(member, path)
        self.around = outer

    def m_Variable(self, member, _):
        if is_covergroup(self.ast, member):
            if not self.has_covergroups:
                self.write.add("Note", self.at_symbol(member), "covergroups are ignored: nothing depends on them")
            self.has_covergroups = True
            return
        self.symbol(member)

    def m_Net(self, member, _):
        self.symbol(member)
        self.delay(member)

    def delay(self, member):
        """The delay of a net, a continuous assignment or a primitive, if it has one."""
        delay = getattr(member, "delay", None)
        if delay is not None:
            self.write.add("Delay", self.at(delay.sourceRange))

    def m_ContinuousAssign(self, member, path):
        self.delay(member)
        self.write.add("Assign", self.scope(path), self.expression(member.assignment))

    def m_ProceduralBlock(self, member, path):
        scope = self.scope(path)
        # Runs have no end: nobody reads what a final block does.
        is_final = member.procedureKind == self.ast.ProceduralBlockKind.Final
        outer = set(self.mentioned) if is_final else self.mentioned
        body = self.statement(member.body)
        self.mentioned = outer
        kind = "AlwaysComb" if self.is_deferred(member) else member.procedureKind.name
        self.write.add("Process", scope, kind, body)

    def is_deferred(self, member):
        """Whether it is a deferred assertion beside processes: as if it were in one."""
        kinds, s = self.ast.StatementKind, member.body
        while s.kind == kinds.Block:
            s = s.body
        is_process = member.procedureKind == self.ast.ProceduralBlockKind.Always
        return is_process and s.kind == kinds.ImmediateAssertion and s.isDeferred

    def m_GenerateBlock(self, member, _):
        if not member.isUninstantiated:
            self.members(member, member.hierarchicalPath)

    def m_GenerateBlockArray(self, member, path):
        for entry in member.entries:
            self.m_GenerateBlock(entry, path)

    def m_InstanceArray(self, member, path):
        for element in member.elements:
            getattr(self, "m_" + element.kind.name)(element, path)

    def m_Instance(self, member, path):
        for connection in member.portConnections:
            self.connection(member, connection)
        self.members(member.body, member.hierarchicalPath)

    def connection(self, instance, connection):
        port = connection.port
        if port.kind == self.ast.SymbolKind.InterfacePort:
            return
        place = self.at_symbol(instance)
        self.nearby = place or self.nearby
        if port.kind != self.ast.SymbolKind.Port:
            self.write.add("Refused", place, f"port {port.name} of several signals")
            return
        if port.isNullPort:
            return
        self.port_start(port)
        if port.internalExpr is not None:
            inner = self.expression(port.internalExpr)
        else:
            symbol = port.internalSymbol
            self.mentioned.add(symbol)
            what = {"Value": self.symbol(symbol)}
            inner = self.write.add("Expr", place, self.type(symbol.type), what)
        outer = self.maybe(connection.expression)
        scope = self.scope(instance.hierarchicalPath)
        self.write.add("Connect", scope, port.name, port.direction.name, inner, outer, place)

    def m_CheckerInstance(self, member, _):
        if self.defaults.is_own(member):
            return
        outer, self.arguments = self.arguments, {}
        for connection in member.portConnections:
            if getattr(connection.actual, "syntax", None) is not None:
                self.arguments[connection.formal.name] = expanded(self.pyslang, connection.actual.syntax).strip()
        self.members(member.body, member.hierarchicalPath)
        self.arguments = outer

    def m_PrimitiveInstance(self, member, path):
        self.delay(member)
        terminals = self.all(member.portConnections)
        self.write.add("Gate", self.scope(path), member.primitiveType.name, terminals, self.at_symbol(member))

    def refuse(self, member, _):
        self.write.add("Refused", self.at_symbol(member), member.kind.name)

    m_NetAlias = refuse


# What was sampled at the tick of the global clock before.
SAMPLED_GLOBALLY = ("$past_gclk", "$rose_gclk", "$fell_gclk", "$stable_gclk", "$changed_gclk")

# Yosys knows some words that slang does not. They are read as others of the same length, so that all places stay: `rand const reg` and `rand reg` in a module as attributes,
# and `restrict (a)` as `assume (a)`.
RANDOM = {"a__c": "anyconst", "r": "anyseq"}
DIALECT = [
    (re.compile(r"\brand\s+const(?=\s+(?:reg|logic|wire|bit)\b)"), lambda found: "(*" + "a__c".ljust(len(found[0]) - 4, "_") + "*)"),
    (re.compile(r"\brand\s(?=\s*(?:reg|logic|wire|bit)\b)"), lambda found: "(*r*)"),
    (re.compile(r"\brestrict(?=\s*\()"), lambda found: "assume  "),
]


def is_covergroup(ast, value):
    """Whether the type of a variable or expression is that of a covergroup."""
    return value.type.canonicalType.kind == ast.SymbolKind.CovergroupType


def samples(ast, e):
    """Whether an expression is a call of a method of a covergroup."""
    return e.kind == ast.ExpressionKind.Call and not e.isSystemCall and e.thisClass is not None and is_covergroup(ast, e.thisClass)


class Effects:
    """What the action of an assertion, or what is called at the end of a sequence, does: it may report, and assign variables."""

    # Statements that slang calls otherwise than people do.
    NAMES = {"ImmediateAssertion": "another assertion", "ConcurrentAssertion": "another assertion", "ForeverLoop": "a loop without an end", "WhileLoop": "while",
             "DoWhileLoop": "do while", "Disable": "disable", "Timed": "a delay", "Wait": "wait", "EventTrigger": "an event"}
    # System functions that give something to an argument: which one does not matter here.
    GIVING = {"$cast", "$sscanf", "$fscanf", "$fgets", "$fread", "$value$plusargs", "$readmemb", "$readmemh", "$sformat", "$swrite"}

    def __init__(self, ast):
        self.ast = ast
        self.written, self.own, self.seen = set(), set(), set()

    def of(self, s):
        """Why an action is not supported; None if it is."""
        kinds = self.ast.StatementKind
        if s is None or s.kind == kinds.Empty:
            return None
        if s.kind == kinds.Block:
            return "an assertion that starts a process" if s.blockKind != self.ast.StatementBlockKind.Sequential else self.of(s.body)
        if s.kind == kinds.List:
            return self.first(self.of(part) for part in s.list)
        if s.kind == kinds.Conditional:
            conditions = (self.value(condition.expr) for condition in s.conditions)
            return self.first(conditions) or self.of(s.ifTrue) or self.of(s.ifFalse)
        if s.kind == kinds.Case:
            items = (self.of(item.stmt) for item in s.items)
            return self.value(s.expr) or self.first(items) or self.of(s.defaultCase)
        if s.kind == kinds.ForLoop:
            self.own.update(s.loopVars)
            starts = (self.value(e) for e in [*s.initializers, *(variable.initializer for variable in s.loopVars)])
            steps = (self.value(e) for e in [s.stopExpr, *s.steps])
            return self.first(starts) or self.first(steps) or self.of(s.body)
        if s.kind == kinds.ForeachLoop:
            return self.of(s.body)
        if s.kind == kinds.RepeatLoop:
            return self.value(s.count) or self.of(s.body)
        if s.kind in (kinds.Break, kinds.Continue):
            return None
        if s.kind == kinds.VariableDeclaration:
            self.own.add(s.symbol)
            return self.value(s.symbol.initializer)
        if s.kind == kinds.Return:
            return self.value(s.expr)
        if s.kind == kinds.ExpressionStatement:
            return self.value(s.expr)
        return f"an assertion whose action has {self.NAMES.get(s.kind.name, s.kind.name)}"

    def first(self, reasons):
        return next((reason for reason in reasons if reason is not None), None)

    def value(self, e):
        """Looks for assignments and calls in an expression."""
        reasons = []
        if e is not None:
            e.visit(lambda node: self.part(node, reasons))
        return self.first(reasons)

    def part(self, node, reasons):
        kinds, kind = self.ast.ExpressionKind, getattr(node, "kind", None)
        if kind == kinds.Assignment:
            if node.timingControl is not None:
                reasons.append("an assertion whose action has a delay")
            self.target(node.left, reasons)
        elif kind == kinds.UnaryOp and node.op.name in ("Preincrement", "Predecrement", "Postincrement", "Postdecrement"):
            self.target(node.operand, reasons)
        elif kind == kinds.Call and node.isSystemCall:
            given = node.arguments if node.subroutineName in self.GIVING else ()
            for actual in (part.left if part.kind == kinds.Assignment else part for part in given):
                if actual.kind in (kinds.NamedValue, kinds.HierarchicalValue, kinds.ElementSelect, kinds.RangeSelect, kinds.MemberAccess):
                    self.target(actual, [])
        elif kind == kinds.Call and not samples(self.ast, node):
            for formal, actual in zip(node.subroutine.arguments, node.arguments):
                if formal.direction != self.ast.ArgumentDirection.In:
                    self.target(actual.left if actual.kind == kinds.Assignment else actual, reasons)
            if node.subroutine in self.seen:
                return
            self.seen.add(node.subroutine)
            self.own.update(node.subroutine.arguments)
            if not node.subroutine.flags & self.ast.MethodFlags.DPIImport:
                reasons.append(self.of(node.subroutine.body))

    def target(self, e, reasons):
        """Notes the variable of a target."""
        kinds = self.ast.ExpressionKind
        while e.kind in (kinds.ElementSelect, kinds.RangeSelect, kinds.MemberAccess, kinds.Conversion):
            e = e.operand if e.kind == kinds.Conversion else e.value
        if e.kind not in (kinds.NamedValue, kinds.HierarchicalValue):
            reasons.append(f"an assertion whose action assigns {e.kind.name}")
        elif e.symbol not in self.own:
            self.written.add(e.symbol)


class Defaults:
    """The conditions of `default disable iff`, as slang understands them.

    slang elaborates a condition where an assertion uses it, and does not show it. So a checker that has it as an argument is bound to each module with such a declaration, and the
    design is elaborated once more: an argument is what it is in the scope of the module.
    """

    NAME = "propcov_default"

    def __init__(self, pyslang, driver, compilation):
        self.pyslang = pyslang
        kinds = pyslang.syntax.SyntaxKind
        found = []
        look = lambda node: found.append(node) if getattr(node, "kind", None) == kinds.DefaultDisableDeclaration else None
        for tree in driver.syntaxTrees:
            tree.root.visit(look)
        modules = (kinds.ModuleDeclaration, kinds.InterfaceDeclaration, kinds.ProgramDeclaration)
        binds = [f"bind {item.parent.header.name.rawText} {self.NAME}::one {self.NAME}({expanded(pyslang, item.expr)});"
                 for item in found if item.parent.kind in modules]
        self.compilation = compilation
        if not binds:
            return
        text = "\n".join([f"package {self.NAME}; checker one(untyped condition); endchecker endpackage", *binds, ""])
        extra = pyslang.syntax.SyntaxTree.fromText(text, driver.sourceManager, self.NAME, self.NAME)
        self.compilation = pyslang.ast.Compilation(driver.createOptionBag())
        add_functions(pyslang.ast, self.compilation)
        for tree in [*driver.syntaxTrees, extra]:
            self.compilation.addSyntaxTree(tree)
        # What slang has to say about the design it has said already.
        self.compilation.getAllDiagnostics()

    def is_own(self, member):
        """Whether a checker is one of these."""
        return member.name == self.NAME and member.body.checker.name == "one"

    def condition(self, scope):
        """The condition that holds in a module; None if it is none, or none was found."""
        for member in scope:
            if member.kind == self.pyslang.ast.SymbolKind.CheckerInstance and self.is_own(member):
                actual = list(member.portConnections)[0].actual
                is_expression = isinstance(actual, self.pyslang.ast.Expression) and not actual.bad
                return actual if is_expression else None
        return None


def expanded(pyslang, syntax):
    """The text of a piece without macros and comments."""
    words, open_nodes = [], [syntax]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, pyslang.parsing.Token):
            words.append((" " if list(node.trivia) and words else "") + node.rawText)
        elif node is not None:
            open_nodes.extend(node[at] for at in reversed(range(len(node))))
    return "".join(words)


class Arguments:
    """Where files with a name are (--list NAME PATH), what files are called (--show PATH NAME), what is free (--cut MODULE NAME), then the words for slang."""

    def __init__(self, words):
        self.listed, self.shown, self.cuts = {}, {}, []
        while len(words) > 2 and words[0] in ("--list", "--show", "--cut"):
            option, first, second, *words = words
            if option == "--list":
                self.listed[first] = second
            elif option == "--cut":
                self.cuts.append((first, second))
            else:
                self.shown[os.path.realpath(first)] = second
        self.words, self.written = words, {}

    def translate(self, sources):
        """Has slang read other words where a file has those of Yosys."""
        for path in {os.path.realpath(word) for word in self.words if os.path.isfile(word)}:
            with open(path, "rb") as file:
                written = file.read()
            text = before = written.decode("latin-1")
            for words, others in DIALECT:
                text = words.sub(others, text)
            if text != before:
                self.written[path] = written
                sources.assignText(path, text.encode("latin-1").decode("utf-8", "surrogateescape"))


def main():
    pyslang = load()
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    arguments = Arguments(sys.argv[1:])
    arguments.translate(driver.sourceManager)
    # What has no time scale while others have one is an error otherwise, and there is no time here.
    scale = [] if any(word.startswith("--timescale") for word in arguments.words) else ["--timescale", "1ns/1ns"]
    words = ['"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in scale + arguments.words]
    if not (driver.parseCommandLine(" ".join(["propcov", *words])) and driver.processOptions() and driver.parseAllSources()):
        return REJECTED
    compilation = driver.createCompilation()
    add_functions(pyslang.ast, compilation)
    driver.reportCompilation(compilation, True)
    if not driver.reportDiagnostics(True) or not has_top(compilation):
        return REJECTED
    warn_of_parameters(pyslang.ast, compilation, arguments.words)
    out = sys.stdout.buffer
    out.write(f"propcov-slang {FORMAT} {pyslang.__version__}\n".encode())
    defaults = Defaults(pyslang, driver, compilation)
    Exporter(pyslang, driver, defaults, arguments, out).design()
    out.flush()
    return 0


def has_top(compilation):
    """Whether there is a module at the top; if each is instantiated by another one, that is said."""
    names = [definition.name for definition in compilation.getDefinitions()]
    if names and not list(compilation.getRoot().topInstances):
        print(f"error: no module is at the top, because each is instantiated by another one: choose one with --top ({', '.join(names)})", file=sys.stderr)
        return False
    return True


def warn_of_parameters(ast, compilation, words):
    """slang says nothing about a value for a parameter that no module at the top has."""
    given = [after for word, after in zip(words, words[1:]) if word == "-G"]
    given += [word[2:] for word in words if word.startswith("-G") and len(word) > 2]
    tops = list(compilation.getRoot().topInstances)
    known = {parameter.name for top in tops for parameter in top.body.parameters}
    for name in dict.fromkeys(word.split("=")[0] for word in given):
        if name not in known:
            print(f"warning: -G {name}: {' and '.join(top.name for top in tops)} has no parameter {name}", file=sys.stderr)


def add_functions(ast, compilation):
    """System functions that formal tools know, and slang does not."""
    first = ast.NonConstantFunction("$initstate", compilation.bitType, 0, [])
    compilation.addSystemSubroutine(first)


def run():
    """In a thread, because expressions may be nested deeper than the stack of the main one allows."""
    code = []
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=lambda: code.append(guarded()))
    thread.start()
    thread.join()
    sys.exit(code[0] if code else 1)


def guarded():
    try:
        return main()
    except BrokenPipeError:
        return 1
    except SystemExit as end:
        return end.code


if __name__ == "__main__":
    run()
