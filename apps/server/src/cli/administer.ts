import net from 'node:net'
import { join } from 'node:path'
import { AdministrationError } from '../access/administration.ts'
import { type Config, readConfig } from '../config.ts'
import { limits } from '../limits.ts'
import { connectPostgres, openEmbedded } from '../store/database/connect.ts'
import type { Database } from '../store/database/database.ts'
import { isOwned, socketOf } from '../store/database/directory-lock.ts'
import { beginEra } from '../store/database/era.ts'
import { assertMigrated, migrate } from '../store/database/migrate.ts'
import type { CommandContext, CommandInput, CommandName, CommandResult } from './commands.ts'

/**
 * Runs an administrative command. On PostgreSQL it runs directly. On the embedded database it runs
 * in the process that owns the database, through its socket if that process is running.
 */
export async function administer<N extends CommandName>(
  environment: NodeJS.ProcessEnv,
  name: N,
  input: CommandInput<N>,
): Promise<CommandResult<N>> {
  const config = readConfig({ LOG_LEVEL: 'silent', ...environment })
  const directory = join(config.dataDirectory, 'database')
  if (!config.databaseUrl && (await isOwned(directory))) {
    return askOwner(directory, name, input)
  }
  const database = await openFor(config, name)
  try {
    return await runCommand({ database, config, now: Date.now() }, name, input)
  } finally {
    await database.close()
  }
}

async function openFor(config: Config, name: CommandName): Promise<Database> {
  const database = config.databaseUrl
    ? connectPostgres(config.databaseUrl, 'liquidity-cli')
    : await openEmbedded(config.dataDirectory)
  if (name === 'migrate') return database
  try {
    if (config.databaseUrl) await assertMigrated(database)
    else await migrate(database)
    await beginEra(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/**
 * Runs a command in the process with the open database. The lazy import spares other processes the
 * cost of loading commands.
 */
export async function runCommand<N extends CommandName>(
  context: CommandContext,
  name: N,
  input: CommandInput<N>,
): Promise<CommandResult<N>> {
  const { commands } = await import('./commands.ts')
  if (!Object.hasOwn(commands, name)) throw new AdministrationError('Unknown command.')
  const command = commands[name] as unknown as (
    context: CommandContext,
    input: CommandInput<N>,
  ) => Promise<CommandResult<N>>
  return command(context, input)
}

/** Sends the command to the process that owns the directory: one line of JSON each way. */
function askOwner<N extends CommandName>(
  directory: string,
  name: N,
  input: CommandInput<N>,
): Promise<CommandResult<N>> {
  return new Promise((done, refuse) => {
    const socket = net.connect(socketOf(directory))
    let text = ''
    socket.setEncoding('utf8')
    socket.once('error', refuse)
    socket.once('connect', () => socket.write(`${JSON.stringify({ name, input })}\n`))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.once('end', () => {
      const answer = JSON.parse(text || '{"error":"The service ended the conversation."}')
      if ('error' in answer) refuse(new AdministrationError(answer.error))
      else done(answer.result)
    })
  })
}

/** Answers one conversation on the control socket of a running service. */
export function answerCommands(context: () => CommandContext): (socket: net.Socket) => void {
  return (socket) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      if (text.length > limits.administrationBytes) socket.destroy()
      const end = text.indexOf('\n')
      if (end < 0) return
      const line = text.slice(0, end)
      text = ''
      void answer(context(), line).then((reply) => socket.end(reply))
    })
  }
}

async function answer(context: CommandContext, line: string): Promise<string> {
  try {
    const { name, input } = JSON.parse(line) as { name: CommandName; input: never }
    return JSON.stringify({ result: await runCommand(context, name, input) })
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
  }
}
