import { type Node, parseSync } from 'oxc-parser'

/** One change of a source text: the characters from `start` to `end` become `text`. */
export interface Edit {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly text: string
}

const comparisons: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}
const logic: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }
const methods: Readonly<Record<string, string>> = {
  floor: 'ceil',
  ceil: 'floor',
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
}
const words: Readonly<Record<string, string>> = { UP: 'DOWN', DOWN: 'UP' }

/** True if the text is TypeScript without syntax errors. */
export const parses = (file: string, text: string): boolean =>
  parseSync(file, text).errors.length === 0

/**
 * All edits that the operators offer for a source text, in the order of their places. Types are not touched,
 * because an edit there changes no behavior.
 */
export function findEdits(file: string, text: string): Edit[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  const edits: Edit[] = []
  const visit = (node: Node): void => {
    if (isType(node)) return
    for (const edit of editsOf(node, text)) {
      // The list finds a mutant by its line, so an edit stays within one.
      if (!text.slice(edit.start, edit.end).includes('\n')) edits.push(edit)
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program)
  return edits.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Nodes of types; the expressions that carry a type are none. */
function isType({ type }: Node): boolean {
  return (
    type.startsWith('TS') &&
    !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type)
  )
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value?.type === 'string')
}

function editsOf(node: Node, text: string): Edit[] {
  switch (node.type) {
    case 'BinaryExpression': {
      const to = comparisons[node.operator]
      if (!to || isText(node.left) || isText(node.right)) return []
      return between(node.left, node.right, node.operator, to, text)
    }
    case 'LogicalExpression': {
      const to = logic[node.operator]
      return to ? between(node.left, node.right, node.operator, to, text) : []
    }
    case 'IfStatement': {
      if (node.alternate || !endsFlow(node.consequent)) return []
      return [replace('drop guard', node.test, 'false')]
    }
    case 'UnaryExpression':
      return node.operator === '!'
        ? [replace('drop !', node, text.slice(node.argument.start, node.argument.end))]
        : []
    case 'Literal': {
      if (typeof node.value === 'boolean') return [replace('flip', node, `${!node.value}`)]
      const to = typeof node.value === 'string' ? words[node.value] : undefined
      return to ? [replace('rounding', node, `'${to}'`)] : []
    }
    case 'CallExpression':
      return callEdits(node, text)
    case 'ExpressionStatement': {
      const { expression } = node
      const called = expression.type === 'AwaitExpression' ? expression.argument : expression
      const isDropped = called.type === 'CallExpression' && !isLogging(called.callee, text)
      return isDropped ? [replace('drop call', node, 'void 0')] : []
    }
    default:
      return []
  }
}

function callEdits(node: Extract<Node, { type: 'CallExpression' }>, text: string): Edit[] {
  const { callee, arguments: given } = node
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    const { property } = callee
    const to = methods[property.name]
    return to ? [replace(`${property.name} → ${to}`, property, to)] : []
  }
  const [numerator, denominator] = given
  if (callee.type !== 'Identifier' || callee.name !== 'divideRoundingUp') return []
  if (!numerator || !denominator) return []
  const textOf = ({ start, end }: Node) => text.slice(start, end)
  const floored = `((${textOf(numerator)}) / (${textOf(denominator)}))`
  return [replace('rounding', node, floored)]
}

const replace = (operator: string, { start, end }: Node, text: string): Edit => ({
  operator,
  start,
  end,
  text,
})

/** Replaces the operator that stands between two operands. */
function between(left: Node, right: Node, from: string, to: string, text: string): Edit[] {
  const gap = text.slice(left.end, right.start)
  const at = gap.indexOf(from)
  if (at < 0) return []
  const start = left.end + at
  return [{ operator: `${from} → ${to}`, start, end: start + from.length, text: to }]
}

/** True for a line of the log, which is no behavior that a test should hold. */
const isLogging = ({ start, end }: Node, text: string): boolean =>
  /\b#?(log|console)\.\w+$/.test(text.slice(start, end))

/** True for a text, which `-` would make a type error. */
const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')

/** True if a statement leaves the function or the loop. */
function endsFlow(node: Node): boolean {
  if (node.type === 'BlockStatement') return node.body.length > 0 && endsFlow(node.body.at(-1)!)
  return ['ReturnStatement', 'ThrowStatement', 'ContinueStatement'].includes(node.type)
}
