import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What each part may import of ours; tests may also use the local chain. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'packages/contract': [],
  'packages/drawing': [],
  'packages/engine': [],
  'packages/evidence': [],
  'packages/localchain': [],
  'packages/sheet': [],
  'packages/client': ['contract'],
  'apps/server': ['client', 'contract', 'drawing', 'engine', 'evidence', 'sheet'],
  'apps/console': ['client', 'contract', 'drawing', 'evidence', 'sheet'],
  'apps/demo': ['client', 'contract', 'evidence', 'localchain', 'server'],
}

/** The layers of the server from the top of the house down: imports run from a later to an earlier one. */
const layers = [
  'shared',
  'store',
  'access',
  'services',
  'http',
  'integrations',
  'jobs',
  'market',
  'drawing',
  'reports',
  'families',
  'history',
  'assembly',
  'cli',
  'entry',
  'testing',
] as const
type Layer = (typeof layers)[number]

/** Files that lie in no folder: the shared, the types of the services, the assembly, and the entry of the package. */
const single: Readonly<Record<string, Layer>> = {
  'answer-json.ts': 'shared',
  'config.ts': 'shared',
  'exchanges.ts': 'shared',
  'failure.ts': 'shared',
  'fault-points.ts': 'shared',
  'keccak256.ts': 'shared',
  'limits.ts': 'shared',
  'mailer.ts': 'shared',
  'metrics.ts': 'shared',
  'outbound.ts': 'shared',
  'required.ts': 'shared',
  'texts.ts': 'shared',
  'thread-turns.ts': 'shared',
  'threads.ts': 'shared',
  'units.ts': 'shared',
  'version.ts': 'shared',
  'family-parts.ts': 'services',
  'services.ts': 'services',
  'extra-routes.ts': 'assembly',
  'context.ts': 'assembly',
  'families.ts': 'assembly',
  'handlers.ts': 'assembly',
  'service.ts': 'assembly',
  'whole-history.ts': 'assembly',
  'index.ts': 'entry',
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder, 'src'), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.ts$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Support of tests may use the local chain and other packages. */
const isShipped = (file: string) => !file.includes(`${sep}testing${sep}`)

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const pattern = /(?:(?:from|import)\s*\(?\s*'([^']+)'|new URL\(\s*'(\.[^']+\.ts)')/g
  return [...text.matchAll(pattern)].map(([, name, thread]) => name ?? thread ?? '')
}

/** The package of ours that an import leads to, by its name or by a path; null for everything else. */
function packageOf(file: string, name: string): string | null {
  if (name.startsWith('@liquidity-os/')) return name.split('/')[1] ?? null
  if (!name.startsWith('.')) return null
  const path = relative(root, join(dirname(file), name)).split(sep)
  // What lies in no package, as the benchmarks, is imported by none.
  return path[0] === 'packages' || path[0] === 'apps' ? (path[1] ?? null) : path.join('/')
}

describe.each(Object.entries(allowed))('%s', (folder, names) => {
  it('imports only what lies below it', () => {
    const own = folder.split('/')[1]
    const shipped = sources(folder).filter(isShipped)
    const wrong = shipped.flatMap((file) =>
      importsOf(file)
        .filter((name) => {
          const other = packageOf(file, name)
          return other !== null && other !== own && !names.includes(other)
        })
        .map((name) => `${relative(root, file)} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no circle of files', () => {
    expect(circlesOf(graphOf(arrowsIn(folder), (path) => path))).toEqual([])
  })
})

describe('packages/drawing', () => {
  it('runs in a browser too: no file needs Node or another package', () => {
    const shipped = sources('packages/drawing').filter(isShipped)
    const needed = shipped.flatMap((file) =>
      importsOf(file).filter((name) => !name.startsWith('./') && !name.startsWith('../')),
    )
    expect(needed).toEqual([])
  })
})

interface Arrow {
  /** Paths below `src`, with slashes. */
  from: string
  to: string
  kind: 'VALUE' | 'TYPE' | 'LATER'
}

const arrows = arrowsIn('apps/server')

function arrowsIn(folder: string): Arrow[] {
  return sources(folder).flatMap((file) => arrowsOf(join(root, folder, 'src'), file))
}

function arrowsOf(src: string, file: string): Arrow[] {
  const from = relative(src, file).replaceAll(sep, '/')
  const pattern =
    /(?:\b(?:import|export)\s+(type\s+)?[^'";]*?from\s+|(\bimport\(\s*|new URL\(\s*)|^import\s+)'(\.{1,2}\/[^']+)'/gm
  return [...readFileSync(file, 'utf8').matchAll(pattern)]
    .map(([, type, later, path]) => ({
      from,
      to: normalize(join(dirname(from), path ?? '')).replaceAll(sep, '/'),
      kind: type ? ('TYPE' as const) : later ? ('LATER' as const) : ('VALUE' as const),
    }))
    .filter(({ to }) => !to.startsWith('..'))
}

function floorOf(path: string): Layer {
  const [first = '', ...rest] = path.split('/')
  const layer = rest.length === 0 ? single[first] : layers.find((name) => name === first)
  if (!layer) throw new Error(`${path} lies on no layer; name it in this test.`)
  return layer
}

/** Families are modules of their own, as are the parts of the store and of what leads outside. */
function findModule(path: string): string {
  const parts = path.split('/')
  const layer = floorOf(path)
  if (layer === 'families') return parts.length >= 4 ? parts.slice(0, 3).join('/') : 'families'
  return (layer === 'store' || layer === 'integrations') && parts.length > 2
    ? parts.slice(0, 2).join('/')
    : layer
}

const describeArrow = ({ from, to }: Arrow) => `${from} imports ${to}`

describe('the layers of the server', () => {
  it('are imported from below only, types included', () => {
    const up = arrows.filter(
      ({ from, to }) => layers.indexOf(floorOf(to)) > layers.indexOf(floorOf(from)),
    )
    expect(up.map(describeArrow)).toEqual([])
  })

  it('let two families meet in the api.ts of one family only', () => {
    const wrong = arrows.filter(({ from, to }) => {
      const [own, other] = [findModule(from), findModule(to)]
      if (!own.startsWith('families/') || !other.startsWith('families/')) return false
      return own !== other && to !== `${other}/api.ts`
    })
    expect(wrong.map(describeArrow)).toEqual([])
  })

  it('let what all families share know none of them, neither later nor as a type', () => {
    const wrong = arrows.filter(
      ({ from, to }) => findModule(from) === 'families' && findModule(to).startsWith('families/'),
    )
    expect(wrong.map(describeArrow)).toEqual([])
  })

  it('have no circle of modules', () => {
    expect(circlesOf(graphOf(arrows, findModule))).toEqual([])
  })
})

/** Where the whole of the services is made, held and handed out. Everything else names the parts that it takes. */
const assembly = [
  'context.ts',
  'drawing/picture-family.ts',
  'http/handler-request.ts',
  'http/handler.ts',
  'http/listener.ts',
  'http/pipeline.ts',
  'http/route.ts',
  'http/server.ts',
  'jobs/job-queue.ts',
  'jobs/job-run.ts',
  'jobs/job-runner.ts',
  'jobs/sweeps.ts',
  'service.ts',
  'services.ts',
]

/** Whether a text names the type of all services other than to take a part of it, in code and not in a comment. */
const namesWhole = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replace(/\bimport [^;]*? from '[^']+'/g, '')
    .search(/\bServices\b(?!\[)(?<!\bPick<\s*Services)|\['services'\]/) >= 0

describe('the services', () => {
  it('are passed on as a whole by the assembly alone', () => {
    const naming = sources('apps/server').filter((file) => namesWhole(readFileSync(file, 'utf8')))
    const paths = naming.map((file) =>
      relative(join(root, 'apps/server/src'), file).replaceAll(sep, '/'),
    )
    expect(paths.sort()).toEqual(assembly)
  })

  it.each([
    ['function look(services: Services) {}', true],
    ["const of = ({ clock }: Omit<Services, 'log'>) => clock()", true],
    ["function look(services: JobRun['services']) {}", true],
    ["type All = Pick<Services, 'clock'> & Services", true],
    ["function look(services: Pick<Services, 'clock'>) {}", false],
    ["import type { Services } from '../services.ts'", false],
    ["const warn = (log: Services['log']) => log.warn('')", false],
    ['/** Takes `Services`. */', false],
  ])('are told from a part of them: %s', (text, isWhole) => {
    expect(namesWhole(text)).toBe(isWhole)
  })
})

/** Who imports whom, as values or types, by the names of nodes. A module that is loaded later closes no circle. */
function graphOf(
  among: readonly Arrow[],
  nameOf: (path: string) => string,
): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { from, to, kind } of among) {
    if (kind === 'LATER' || nameOf(from) === nameOf(to)) continue
    graph.set(nameOf(from), (graph.get(nameOf(from)) ?? new Set()).add(nameOf(to)))
  }
  return graph
}

it('counts a type import into a circle, and not a module that is loaded later', () => {
  const back = (kind: Arrow['kind']): Arrow[] => [
    { from: 'a.ts', to: 'b.ts', kind: 'VALUE' },
    { from: 'b.ts', to: 'a.ts', kind },
  ]
  const circles = (among: Arrow[]) => circlesOf(graphOf(among, (path) => path))
  expect(circles(back('TYPE'))).toEqual([['a.ts', 'b.ts']])
  expect(circles(back('LATER'))).toEqual([])
})

it('reads the support of tests too', () => {
  expect(arrows.map(({ from }) => from)).toContain('testing/recorded-day.ts')
})

/** Groups of nodes each of which leads to every other, by Tarjan's algorithm. */
function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const place = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (node: string): number => {
    place.set(node, place.size)
    lowest.set(node, place.get(node) ?? 0)
    open.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!place.has(next)) visit(next)
      if (!open.includes(next)) continue
      lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0))
    }
    if (lowest.get(node) === place.get(node)) {
      const circle = open.splice(open.indexOf(node))
      if (circle.length > 1) circles.push(circle.sort())
    }
    return lowest.get(node) ?? 0
  }
  for (const node of graph.keys()) if (!place.has(node)) visit(node)
  return circles
}
