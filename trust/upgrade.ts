import {
  changeHours,
  completeHistory,
  resolveCommit,
  ShallowHistoryError,
} from '../testing/base-commit.ts'
import { interruption } from './chaos/interruption.ts'
import { maxSeconds, parseOptions } from './upgrade/options.ts'
import { announce, print } from './upgrade/print.ts'
import { findReleaseBefore } from './upgrade/release-before.ts'
import { exitCodeOf, runUpgrade } from './upgrade/run.ts'

const help = `npm run upgrade [-- --before COMMIT] [--seconds N] [--rate N] [--seed N]

Upgrades a service that is used. The program checks out the release before and starts a node of it on a PostgreSQL of its own. This
node keeps working while the new release migrates the schema. Then a node of each release reads and changes data: venues, bookmarks,
webhooks, credentials, members and studies. The old node stops with SIGTERM, starts once more beside the new one, and stops again.
The program checks:

  - no answer is a 5xx, and every request is answered within 30 s
  - each change succeeds, and the other node returns the same bytes under the same key
  - each node reads what the other one wrote, and accepts its keys
  - every job completes
  - verify-history and verify-log of the new release find no fault

The exit code is 0 if all of this holds, 1 if not or if the run did not complete, and 2 for an invalid option. Progress goes to
stderr. The report and the seed are always printed, also after an error and after SIGINT. The program needs the history of the
repository: in a shallow clone it fetches the rest, and exits with 1 if that fails. If the whole history has no commit that is old
enough, it says so and exits with 0.

  --before   commit of the release before. Default: the newest landed commit that is ${changeHours} h older than HEAD and whose
             migrations have not changed since
  --seconds  load on both nodes, at most ${maxSeconds}. Default: 60
  --rate     steps a second. A step is a read, or a change with its repetition and a read at the other node. Default: 20
  --seed     decides the steps
`

const parsed = parseOptions(process.argv.slice(2), Date.now() % 1_000_000)
if (parsed.kind === 'HELP') {
  process.stdout.write(help)
  process.exit(0)
}
if (parsed.kind === 'INVALID') refuse(parsed.message)
const { before: name, ...load } = parsed.options
try {
  completeHistory()
} catch (error) {
  if (!(error instanceof ShallowHistoryError)) throw error
  process.stderr.write(`upgrade: not run. ${error.message}\n`)
  process.exit(1)
}
const before = name === null ? findReleaseBefore() : resolveCommit(name)
if (before === null) {
  if (name !== null) refuse(`--before: the repository has no commit ${name}.`)
  process.stdout.write(
    `upgrade: not run. The history has no landed commit that is ${changeHours} h older than HEAD and has its migrations. Name a commit with --before.\n`,
  )
  process.exit(0)
}
const after = resolveCommit('HEAD') ?? 'unknown'
const settings = { before, after, ...load }
process.stdout.write(announce(settings))
const report = await runUpgrade(settings, {
  signal: interruption(),
  progress: (line) => process.stderr.write(`${line}\n`),
})
process.stdout.write(print(report))
process.exit(exitCodeOf(report))

function refuse(message: string): never {
  process.stderr.write(`${message}\n\n${help}`)
  process.exit(2)
}
