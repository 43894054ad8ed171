import { lineBetween, type Point } from '../picture.ts'
import type { Chart, Datum } from './data.ts'
import { classShapes } from './marks.ts'
import { breakLines, lineHeight, type Sheet } from './sheet.ts'
import type { ChartClass } from './spec.ts'
import type { Rect } from './theme.ts'
import type { Space } from './xy.ts'

interface Edge {
  readonly datum: Datum
  readonly from: string
  readonly to: string | null
}

interface Node {
  readonly name: string
  readonly depth: number
  readonly parents: readonly string[]
  /** Amounts of the edges from the parents; null if unknown. */
  readonly amounts: readonly (number | null)[]
  /** Labels of the edges to this node. */
  readonly notes: readonly string[]
  readonly class: string | null
  /** Row of the first edge that leads here. */
  readonly row: number
}

const [columnGap, rowGap, padding] = [44, 10, 8]
const minColumn = 130
const indent = 22

/** Nodes from left to right along their edges; on a narrow sheet below each other, indented. @returns the y coordinate below it */
export function drawPath(sheet: Sheet, chart: Chart, space: Space): number {
  const nodes = nodesOf(chart)
  const columns = 1 + Math.max(0, ...nodes.map(({ depth }) => depth))
  const wide = (space.width - (columns - 1) * columnGap) / columns
  const isTree = wide < minColumn
  const ordered = isTree
    ? nodes.toSorted((a, b) => orderOf(a, nodes).localeCompare(orderOf(b, nodes)))
    : nodes
  const bottoms = Array<number>(columns).fill(space.y + 4)
  const boxes = new Map<string, Rect>()
  for (const node of ordered) {
    const column = isTree ? 0 : node.depth
    const shift = Math.min(node.depth * indent, space.width / 3)
    const x = space.x + (isTree ? shift : node.depth * (wide + columnGap))
    const width = isTree ? space.width - shift : Math.min(wide, 260)
    const box = { x, y: bottoms[column]!, width, height: heightOf(node, width) }
    boxes.set(node.name, box)
    bottoms[column] = box.y + box.height + rowGap
  }
  const most = Math.max(0, ...nodes.flatMap(({ amounts }) => amounts.map((one) => one ?? 0)))
  for (const node of nodes) {
    const to = boxes.get(node.name)!
    for (const [index, parent] of node.parents.entries()) {
      const width = widthOf(node.amounts[index] ?? null, most)
      drawEdge(sheet, boxes.get(parent)!, to, { isTree, width })
    }
  }
  for (const node of nodes) drawNode(sheet, chart, node, boxes.get(node.name)!)
  return Math.max(...bottoms) + 2
}

/** Every node once, with its distance from the begin; an edge that leads back changes no distance. */
function nodesOf({ series }: Chart): Node[] {
  const edges: Edge[] = series.flatMap(({ data }) =>
    data.map((datum) => ({ datum, from: datum.text, to: datum.cells[0] ?? null })),
  )
  const targets = new Set(edges.map(({ to }) => to))
  const names = [...new Set(edges.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))]
  const roots = names.filter((name) => !targets.has(name))
  const depths = new Map<string, number>(
    (roots.length > 0 ? roots : names.slice(0, 1)).map((name) => [name, 0] as const),
  )
  const queue = [...depths.keys()]
  for (const name of queue) {
    for (const { from, to } of edges) {
      if (from !== name || to === null || depths.has(to)) continue
      depths.set(to, depths.get(name)! + 1)
      queue.push(to)
    }
  }
  // A cycle without a root starts in the first column.
  for (const name of names) if (!depths.has(name)) depths.set(name, 0)
  const isForward = ({ from, to }: Edge) => to !== null && depths.get(from)! < depths.get(to)!
  return names.map((name) => {
    const into = edges.filter((edge) => edge.to === name && isForward(edge))
    const back = edges.filter((edge) => edge.from === name && edge.to !== null && !isForward(edge))
    const own: Datum | undefined =
      into[0]?.datum ?? edges.find(({ from, to }) => from === name && to === null)?.datum
    return {
      name,
      depth: depths.get(name)!,
      parents: into.map(({ from }) => from),
      amounts: into.map(({ datum }) => datum.y[1] ?? null),
      notes: [
        ...new Set(into.flatMap(({ datum }) => datum.note ?? [])),
        ...back.map(({ to, datum: { note } }) => `${note ?? 'leads'} → ${to}`),
      ],
      class: own?.class ?? null,
      row: own?.row ?? -1,
    }
  })
}

/** Sort key of a node in the tree: below its first parent. */
function orderOf(node: Node, nodes: readonly Node[]): string {
  const place = `${nodes.indexOf(node)}`.padStart(4, '0')
  const parent = nodes.find(({ name, depth }) => name === node.parents[0] && depth < node.depth)
  return parent ? `${orderOf(parent, nodes)}/${place}` : place
}

const linesIn = ({ name, notes }: Node, width: number) => {
  const availableWidth = width - 2 * padding - 4
  return {
    names: breakLines(name, availableWidth),
    notes: notes.flatMap((note) => breakLines(note, availableWidth)),
  }
}

function heightOf(node: Node, width: number): number {
  const { names, notes } = linesIn(node, width)
  return (names.length + notes.length) * lineHeight + 10
}

const plain: ChartClass = { value: '', label: '', tone: 'neutral' }

function drawNode(sheet: Sheet, { spec, series }: Chart, node: Node, box: Rect): void {
  const { theme } = sheet
  const one = spec.classes?.find(({ value }) => value === node.class) ?? plain
  sheet.add(...classShapes(box, one, theme))
  const { names, notes } = linesIn(node, box.width)
  const halo = one.isHatched ? theme.paper : theme.tones[one.tone].tint
  for (const [index, line] of [...names, ...notes].entries()) {
    const color = index < names.length ? theme.ink : theme.faint
    sheet.text(box.x + padding + 4, box.y + 17 + index * lineHeight, line, { color, halo })
  }
  if (node.row >= 0)
    sheet.spot(
      { x: box.x + box.width / 2, y: box.y + box.height / 2 },
      node.row,
      series[0]?.label ?? '',
    )
}

const [thin, wide] = [1.2, 10]

const widthOf = (amount: number | null, most: number) =>
  amount === null || most <= 0 ? thin : Math.max(thin, (wide * amount) / most)

function drawEdge(
  sheet: Sheet,
  from: Rect,
  to: Rect,
  { isTree, width }: { readonly isTree: boolean; readonly width: number },
): void {
  const stroke = { color: sheet.theme.axis, width }
  const end: Point = { x: to.x - 1, y: to.y + Math.min(14, to.height / 2) }
  const elbow = isTree
    ? { x: Math.min(from.x + 8, end.x - 4), y: from.y + from.height }
    : { x: from.x + from.width, y: from.y + Math.min(14, from.height / 2) }
  const points = isTree ? [elbow, { x: elbow.x, y: end.y }, end] : curveBetween(elbow, end)
  sheet.add({ kind: 'line', points, stroke })
  if (width === thin)
    for (const dy of [-4, 4]) sheet.add(lineBetween({ x: end.x - 6, y: end.y + dy }, end, stroke))
}

const segments = 12

/** Level at both ends, so that edges of neighboring nodes stay apart. */
const curveBetween = (from: Point, to: Point): Point[] =>
  Array.from({ length: segments + 1 }, (_, index) => {
    const share = index / segments
    const eased = share * share * (3 - 2 * share)
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * eased }
  })
