import { parseArgs } from 'node:util'
import { type Benchmark, type Figures, judge, median, type Verdict } from './benchmark.ts'

/** Benchmarks by name, loaded one by one, so that no benchmark pays for the imports of another. */
export type Benchmarks = Readonly<Record<string, () => Promise<Benchmark>>>

function helpOf(command: string, benchmarks: Benchmarks): string {
  return `${command} [-- NAME…] [--rounds N] [--seconds N] [--json]

Runs product, peer and limit in turns and prints the median of the paired ratios, the lowest and the highest,
and the pass mark beside it. A miss is printed as a miss; the exit status is 1 only when a benchmark could not run.

Names: ${Object.keys(benchmarks).join(', ')}
`
}

interface Report {
  name: string
  title: string
  rounds: readonly Figures[]
  verdicts: readonly Verdict[]
}

async function measure(
  benchmark: Benchmark,
  options: { rounds: number; seconds: number },
): Promise<Report> {
  const running = await benchmark.open(options)
  const rounds: Figures[] = []
  try {
    for (let index = 0; index < options.rounds; index += 1) rounds.push(await running.round(index))
  } finally {
    await running.close()
  }
  const verdicts = benchmark.comparisons.map((comparison) => judge(comparison, rounds))
  return { name: benchmark.name, title: benchmark.title, rounds, verdicts }
}

const shown = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

function print(benchmark: Benchmark, { rounds, verdicts }: Report): void {
  const figures = Object.entries(benchmark.units).map(([name, unit]) => {
    const values = rounds.map((round) => round[name] ?? Number.NaN)
    return `${name} ${shown(median(values))} ${unit}`
  })
  const lines = verdicts.map(({ name, median: middle, lowest, highest, mark, isMet }) => {
    const limit = mark === null ? '' : 'atLeast' in mark ? `≥ ${mark.atLeast}` : `≤ ${mark.atMost}`
    const verdict = isMet === null ? '' : isMet ? 'met' : 'MISSED'
    const range = `[${shown(lowest)}..${shown(highest)}]`
    return `  ${name.padEnd(26)} ${shown(middle).padStart(7)} ${range.padEnd(18)} ${limit.padEnd(7)} ${verdict}`
  })
  const head = `\n${benchmark.name}: ${benchmark.title} (${rounds.length} rounds)`
  process.stdout.write(`${[head, `  ${figures.join(', ')}`, ...lines].join('\n')}\n`)
}

/**
 * Runs the benchmarks that the command line names, or all, prints what they measured and ends the process.
 *
 * @param command how the program is called
 */
export async function runBenchmarks(command: string, benchmarks: Benchmarks): Promise<never> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '2' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const help = helpOf(command, benchmarks)
  const unknown = positionals.filter((name) => !(name in benchmarks))
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
  const isUsable = Number.isInteger(options.rounds) && options.rounds > 0 && options.seconds >= 1
  if (values.help || unknown.length > 0 || !isUsable) {
    process.stdout.write(unknown.length > 0 ? `Unknown: ${unknown.join(', ')}\n\n${help}` : help)
    process.exit(values.help ? 0 : 2)
  }

  const reports: Report[] = []
  for (const name of positionals.length > 0 ? positionals : Object.keys(benchmarks)) {
    try {
      const benchmark = await (benchmarks[name] as () => Promise<Benchmark>)()
      const report = await measure(benchmark, options)
      reports.push(report)
      if (!values.json) print(benchmark, report)
    } catch (error) {
      process.exitCode = 1
      process.stderr.write(
        `\n${name} could not run: ${error instanceof Error ? error.stack : error}\n`,
      )
    }
  }
  if (values.json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`)
  process.exit()
}
