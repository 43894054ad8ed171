import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { choose } from './choose.ts'
import { acceptEngine, copyTree } from './copy.ts'
import { isSame, type Mutant, mutate, readList, writeList } from './list.ts'
import { relatedTests } from './related.ts'
import { endTests, runTests } from './run-tests.ts'

const usage = `npm run mutants -- [options]

Applies every mutant of testing/mutants/mutants.json to a copy of the working tree and runs tests against it:
the file that killed it before, then related files, then the rest of the short tier. Exit code 1 if a mutant
survives or is stale.

  --shard 1/4        only every fourth mutant, from the first
  --only TEXT        only mutants of files whose path contains TEXT
  --kind seed        only mutants of a kind: audit, seed or promise
  --unknown          only mutants without a known killer
  --quick            without the rest of the short tier
  --record           write the killers that were found into the list
  --choose           draw mutants into the list instead of running them
  --seed 41          the seed of --choose
  --count 40         the number of mutants of that seed`

const root = join(import.meta.dirname, '../..')
const { values: options } = parseArgs({
  options: {
    shard: { type: 'string', default: '1/1' },
    only: { type: 'string', default: '' },
    kind: { type: 'string', default: '' },
    unknown: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    choose: { type: 'boolean', default: false },
    seed: { type: 'string', default: '41' },
    count: { type: 'string', default: '40' },
    help: { type: 'boolean', default: false },
  },
})

interface Verdict {
  readonly mutant: Mutant
  readonly result: 'KILLED' | 'SURVIVED' | 'STALE'
  readonly by: string | null
}

function selected(): Mutant[] {
  const [place = Number.NaN, shards = Number.NaN] = options.shard.split('/').map(Number)
  if (!(place >= 1 && place <= shards))
    throw new Error(`--shard must be like 1/4, got ${options.shard}`)
  return readList()
    .mutants.filter((_, index) => index % shards === place - 1)
    .filter(({ file }) => file.includes(options.only))
    .filter(({ kind }) => kind.startsWith(options.kind))
    .filter(({ killedBy }) => !options.unknown || killedBy === null)
}

/** Test files that pass without a mutant. */
const green = new Set<string>()

/** @returns true if every mutant was killed */
async function runAll(mutants: readonly Mutant[]): Promise<boolean> {
  const tree = copyTree(root)
  const stop = () => {
    endTests()
    tree.remove()
    process.exit(130)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    await requireGreen(tree.path, mutants)
    const verdicts: Verdict[] = []
    for (const mutant of mutants) {
      const verdict = await judge(tree.path, mutant)
      verdicts.push(verdict)
      console.log(lineOf(verdict))
      if (options.record && verdict.by !== null) record(verdict)
    }
    const count = (result: Verdict['result']) =>
      verdicts.filter((verdict) => verdict.result === result).length
    console.log(
      `\n${verdicts.length} mutants: ${count('KILLED')} killed, ${count('SURVIVED')} survived, ${count('STALE')} stale; ${readList().equivalent.length} equivalent ones are listed.`,
    )
    return count('KILLED') === verdicts.length
  } finally {
    tree.remove()
  }
}

/** A test that fails without a mutant kills nothing. */
async function requireGreen(tree: string, mutants: readonly Mutant[]): Promise<void> {
  const files = [...new Set(mutants.flatMap(({ killedBy }) => killedBy ?? []))]
  for (const file of files) {
    if (!existsSync(join(tree, file))) throw new Error(`No test file ${file}`)
  }
  if (files.length === 0) return
  const { failed, by, output } = await runTests(tree, files)
  if (failed) throw new Error(`${by ?? 'A test'} fails without any mutant.\n${output}`)
  for (const file of files) green.add(file)
}

async function judge(tree: string, mutant: Mutant): Promise<Verdict> {
  const verdict = await tryMutant(tree, mutant)
  const { by } = verdict
  if (by !== null && !green.has(by)) await requireGreen(tree, [{ ...mutant, killedBy: by }])
  return verdict
}

async function tryMutant(tree: string, mutant: Mutant): Promise<Verdict> {
  const path = join(tree, mutant.file)
  const original = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const mutated = mutate(original, mutant)
  if (mutated === null) return { mutant, result: 'STALE', by: null }
  const isEngine = mutant.file.startsWith('packages/engine/src/')
  try {
    writeFileSync(path, mutated)
    if (isEngine) acceptEngine(tree)
    for (const files of groupsFor(tree, mutant)) {
      const { failed, by } = await runTests(tree, files)
      // Without a report the run crashed or was ended after its time limit.
      if (failed) return { mutant, result: 'KILLED', by: by ?? files[0] ?? null }
    }
    return { mutant, result: 'SURVIVED', by: null }
  } finally {
    writeFileSync(path, original)
    if (isEngine) acceptEngine(tree)
  }
}

function groupsFor(tree: string, { file, killedBy }: Mutant): string[][] {
  const { near, rest } = relatedTests(tree, file)
  const groups = [...(killedBy === null ? [] : [[killedBy]]), ...near]
  return options.quick ? groups : [...groups, rest]
}

function lineOf({ mutant, result, by }: Verdict): string {
  const { file, line, replacement, operator } = mutant
  const text = `${result.padEnd(8)} ${file}  [${operator}]${by === null ? '' : `  by ${by}`}`
  return result === 'KILLED' ? text : `${text}\n           ${line}\n         → ${replacement}`
}

/** Writes the killer of one mutant. The list is read again, because another shard may have changed it. */
function record({ mutant, by }: Verdict): void {
  const list = readList()
  writeList({
    ...list,
    mutants: list.mutants.map((one) => (isSame(one, mutant) ? { ...one, killedBy: by } : one)),
  })
}

if (options.help) console.log(usage)
else if (options.choose) {
  const list = choose(root, readList(), Number(options.seed), Number(options.count))
  writeList(list)
  console.log(`The list holds ${list.mutants.length} mutants.`)
} else process.exitCode = (await runAll(selected())) ? 0 : 1
