import { Option } from 'commander'
import type { CommandInput, CommandName, CommandResult } from './commands.ts'
import type { Terminal } from './terminal.ts'

export interface Line {
  terminal: Terminal
  /** Runs an administrative command in the process that owns the database. */
  ask: <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandResult<N>>
  printResult: <T>(
    options: { json?: boolean },
    result: T,
    lines: (result: T) => readonly string[],
  ) => void
  end: (status: number) => void
}

export const json = () => new Option('--json', 'print one JSON object instead of text')
export const inOrganization = () =>
  new Option('--organization <id>', 'the organization').makeOptionMandatory()
