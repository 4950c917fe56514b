// The state of a search after a number of steps. Values are from the view of the first player (in chess: White).

const MATE = 1e6;

// A value as a number that can be compared; "#3" is a mate in three moves.
export function rank(value) {
  if (typeof value !== "string") return value;
  const moves = Number(value.slice(1));
  return moves > 0 ? MATE - moves : -MATE - moves;
}

// True if the side that wants high values is to move at a ply.
export function wantsHigh(tree, ply) {
  return tree.first === (ply % 2 === 0);
}

export function childrenOf(tree) {
  const children = tree.nodes.map(() => []);
  tree.nodes.forEach((node, number) => node.parent >= 0 && children[node.parent].push(number));
  return children;
}

// After `count` steps: which nodes are there, their `value`s so far, their `best` children, the `path` that is
// being looked at, and the node `now`.
export function replay(tree, count) {
  return tree.kind === "growth" ? replayGrowth(tree, count) : replaySearch(tree, count);
}

function emptyState(tree) {
  const size = tree.nodes.length;
  return {
    entered: new Uint8Array(size), left: new Uint8Array(size), cut: new Uint8Array(size), visits: new Uint32Array(size),
    value: new Array(size).fill(null), best: new Int32Array(size).fill(-1), path: [], now: 0,
  };
}

function replaySearch(tree, count) {
  const state = emptyState(tree);
  for (const event of tree.steps.slice(0, count)) {
    const number = event >= 0 ? event : ~event;
    const node = tree.nodes[number];
    state.now = number;
    if (event >= 0) {
      state.entered[number] = 1;
      state.path.push(number);
      continue;
    }
    state.path.pop();
    state.left[number] = 1;
    state.value[number] = node.value;
    state.cut[number] = node.leftOut > 0 ? 1 : 0;
    if (node.parent >= 0) tellParent(tree, state, number);
  }
  return state;
}

function tellParent(tree, state, number) {
  const { parent, value } = tree.nodes[number];
  const known = state.value[parent];
  const sign = wantsHigh(tree, tree.nodes[parent].ply) ? 1 : -1;
  if (value !== null && (known === null || sign * rank(value) > sign * rank(known))) {
    state.value[parent] = value;
    state.best[parent] = number;
  }
}

function replayGrowth(tree, count) {
  const state = emptyState(tree);
  const total = new Float64Array(tree.nodes.length);
  const proven = new Map();
  for (const step of tree.steps.slice(0, count)) {
    for (const number of step.path) {
      state.entered[number] = 1;
      state.visits[number] += 1;
      total[number] += step.result;
    }
    for (const [number, value] of step.proven) proven.set(number, value);
    state.path = step.path;
    state.now = step.path.at(-1);
  }
  state.entered[0] = 1;
  tree.nodes.forEach((node, number) => {
    if (!state.visits[number]) return;
    state.value[number] = proven.get(number) ?? total[number] / state.visits[number];
    state.left[number] = proven.has(number) ? 1 : 0;
    const parent = node.parent;
    if (parent >= 0 && (state.best[parent] < 0 || state.visits[number] > state.visits[state.best[parent]])) state.best[parent] = number;
  });
  return state;
}

// The line from the root that looks best now.
export function bestLine(state) {
  const line = [0];
  while (state.best[line.at(-1)] >= 0) line.push(state.best[line.at(-1)]);
  return line;
}
