import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { noteKeyKinds, printVerifierKey } from '@liquidity-os/evidence'
import { Command, CommanderError } from 'commander'
import type { PublishedKey } from '../access/signing-keys.ts'
import { variables } from '../config.ts'
import { minuteMilliseconds } from '../units.ts'
import { version } from '../version.ts'
import type { CommandInput, CommandName, CommandResult } from './commands.ts'
import { explain } from './explain.ts'
import { inOrganization, json, type Line } from './line.ts'
import { addOnline } from './online/commands.ts'
import { addMembers, addOrganizations } from './organizations.ts'
import { print } from './print.ts'
import type { Terminal } from './terminal.ts'

/**
 * Runs one command of the command line. Prints text, or one JSON object with `--json`.
 *
 * @returns the exit status
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, stdout, stderr } = terminal
  let status = 0
  const line: Line = {
    terminal,
    ask: async <N extends CommandName>(
      name: N,
      input: CommandInput<N>,
    ): Promise<CommandResult<N>> => {
      const { administer } = await import('./administer.ts')
      return administer(environment, name, input)
    },
    printResult: (options, result, lines) => print(stdout, options, result, lines),
    end: (given) => {
      status = given
    },
  }
  const program = new Command('liquidity')
    .description(
      'Liquidity OS: plan, simulate, operate, analyze and prove the liquidity of a token.',
    )
    .version(version)
    .showHelpAfterError('(liquidity --help shows the commands)')
    .addHelpText('after', firstSteps())
    .exitOverride()
    .configureOutput({
      writeOut: (words) => stdout.write(words),
      writeErr: (words) => stderr.write(words),
    })
  for (const add of [
    ...[addServing, addOrganizations, addMembers, addSignIn, addWebhooks, addEvidence],
    ...[addWorkOnFiles, addOnline],
  ]) {
    add(program, line)
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    return error instanceof CommanderError ? error.exitCode : explain(error, stderr)
  }
  return status
}

/** The processes of a deployment, and its schema. */
function addServing(program: Command, { terminal, ask, printResult }: Line): void {
  program
    .command('serve')
    .description('run the service: HTTP and workers in one process')
    .addHelpText('after', environmentHelp)
    .action(async () => {
      const { serve } = await import('./serve.ts')
      await serve(terminal.environment)
    })

  program
    .command('worker')
    .description('run only the workers, for a service with WORKER=none')
    .addHelpText('after', environmentHelp)
    .action(async () => {
      const { work } = await import('./serve.ts')
      await work(terminal.environment)
    })

  program
    .command('migrate')
    .description('migrate the database schema to this release')
    .addOption(json())
    .action(async (options) => printResult(options, await ask('migrate', {}), migrated))
}

/** Sign-in links, passkeys and sealed secrets. */
function addSignIn(program: Command, { terminal, ask, printResult: tell }: Line): void {
  program
    .command('session')
    .description('interactive sessions')
    .command('link')
    .description('print a one-time sign-in link for a known user; valid 15 minutes')
    .argument('<email>')
    .addOption(json())
    .action(async (email, options) => {
      tell(options, await ask('session.link', { email }), ({ link, expiresAt }) => [
        link,
        `Works once, until ${expiresAt}.`,
      ])
    })

  program
    .command('passkey')
    .description('passkeys of people')
    .command('forget')
    .description('remove the passkeys of a user who lost them; sign-in by email link works again')
    .argument('<email>')
    .addOption(json())
    .action(async (email, options) => {
      tell(options, await ask('passkey.forget', { email }), ({ forgotten }) => [
        `${forgotten} passkeys removed.`,
      ])
    })

  program
    .command('secret')
    .description('secrets of providers')
    .command('seal')
    .description(
      'read a secret from the standard input and print it as a sealed credentialReference',
    )
    .addOption(inOrganization())
    .requiredOption('--host <host>', 'the only host that receives the secret')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExample:\n  liquidity secret seal --organization org_demo --host rpc.example.com < token.txt',
    )
    .action(async ({ organization: organizationId, host, ...options }) => {
      const secret = (await text(terminal.stdin)).trim()
      const input = { organizationId, host, secret }
      tell(options, await ask('secret.seal', input), ({ credentialReference }) => [
        credentialReference,
      ])
    })
}

/** Deliveries and their repetition. */
function addWebhooks(program: Command, { ask, printResult: tell }: Line): void {
  const webhook = program.command('webhook').description('deliveries of webhooks')
  webhook
    .command('deliveries')
    .description('list the latest deliveries and their attempts')
    .addOption(inOrganization())
    .option('--webhook <id>', 'filter by webhook')
    .addOption(json())
    .action(async (options) => {
      const input = { organizationId: options.organization, webhookId: options.webhook ?? null }
      tell(options, await ask('webhook.deliveries', input), ({ deliveries }) =>
        deliveries.map(
          (delivery) =>
            `${delivery.status.padEnd(10)} ${delivery.messageId} to ${delivery.webhookId}, ${delivery.attempts} attempts, last ${delivery.lastOutcome ?? 'none'}`,
        ),
      )
    })
  webhook
    .command('resend')
    .description('resend a delivery, even if it expired')
    .argument('<message>', 'id of the message, as `deliveries` shows it')
    .addOption(inOrganization())
    .addOption(json())
    .action(async (messageId, options) => {
      const input = { organizationId: options.organization, messageId }
      tell(options, await ask('webhook.resend', input), ({ resent }) => [
        `${resent} deliveries queued.`,
      ])
    })
}

const keyLine = ({ publicKey, keyId, createdAt, retiredAt }: PublishedKey): string =>
  `${publicKey}  ${keyId}  since ${createdAt}${retiredAt ? `, retired ${retiredAt}` : ''}`

/** Commands for stored and signed data, and their verification. */
function addEvidence(program: Command, { terminal, ask, printResult: tell, end }: Line): void {
  program
    .command('artifact')
    .description('print the bytes of a stored artifact, checked against their hash')
    .argument('<hash>', 'content hash, as a record or GET /artifacts names it')
    .addOption(inOrganization())
    .addOption(json())
    .addHelpText(
      'after',
      '\nExample:\n  liquidity artifact 0x… --organization org_demo > events.ndjson',
    )
    .action(async (contentHash, options) => {
      const input = { organizationId: options.organization, contentHash }
      const artifact = await ask('artifact.read', input)
      if (options.json) tell(options, artifact, () => [])
      else terminal.stdout.write(Buffer.from(artifact.base64, 'base64'))
    })

  program
    .command('signing-keys')
    .description('print the public signing keys of this deployment, current key first')
    .addOption(json())
    .action(async (options) => {
      tell(options, await ask('signing-key.list', {}), ({ keys }) =>
        keys.length === 0 ? ['No signatures yet.'] : keys.map(keyLine),
      )
    })

  const logKey = program
    .command('log-key')
    .description('the key that signs checkpoints of the proof log')
  logKey
    .command('list')
    .description('print its public keys, current key first, and the handover notes')
    .addOption(json())
    .action(async (options) => {
      tell(options, await ask('log-key.list', {}), ({ origin, keys, handovers }) => [
        ...keys.map(keyLine),
        ...(origin === null
          ? []
          : keys.map(({ publicKey }) =>
              printVerifierKey(origin, publicKey, noteKeyKinds.signature),
            )),
        ...handovers.map(({ note }) => `\n${note.trimEnd()}`),
      ])
    })
  logKey
    .command('rotate')
    .description('rotate the key; the current key signs the handover')
    .addOption(json())
    .action(async (options) => {
      const rotated = await ask('log-key.rotate', {})
      tell(options, rotated, ({ from, to, treeSize, cosignedUntil, note }) => [
        `${to} signs checkpoints of more than ${treeSize} leaves; ${from} also signs until ${cosignedUntil}.`,
        `\n${note.trimEnd()}`,
      ])
    })

  program
    .command('verify-history')
    .description(
      'verify every hash chain and report the first broken link; exit status 1 if one is found',
    )
    .option('--organization <id>', 'filter by organization')
    .option('--checkpoint <file>', 'write the verified position to a file, for --since')
    .option(
      '--since <file>',
      'check only records with events since that file; a full run also checks data without a hash',
    )
    .addOption(json())
    .action(async (options) => {
      const { readVerifiedHistory, writeVerifiedHistory } = await import(
        './verified-history-file.ts'
      )
      const since = options.since ? readVerifiedHistory(options.since) : null
      const input = { organizationId: options.organization ?? null, since }
      const report = await ask('verify-history', input)
      if (options.checkpoint && report.until) {
        writeVerifiedHistory(options.checkpoint, report.until)
      }
      tell(options, report, (found) => [
        `${found.records} record versions, ${found.events} events and ${found.artifacts} artifacts of ${found.organizations} organizations.`,
        ...(since
          ? ['Checked: records with events since that file. Earlier events were only counted.']
          : []),
        ...found.faults.map(
          (fault) => `BROKEN ${fault.organizationId} ${fault.subject}: ${fault.message}`,
        ),
        found.faults.length === 0 ? 'All links are valid.' : `${found.faults.length} broken links.`,
      ])
      if (report.faults.length > 0) end(1)
    })

  program
    .command('verify-log')
    .description(
      'rebuild the proof log and compare checkpoints, witness signatures, hashes and events; exit status 1 if one differs',
    )
    .option('--known-checkpoint <file>', 'an external checkpoint that the log must extend')
    .addOption(json())
    .action(async (options) => {
      const file: string | undefined = options.knownCheckpoint
      // Editors may append further line feeds to the file.
      const known = file === undefined ? null : `${readFileSync(file, 'utf8').trimEnd()}\n`
      const report = await ask('verify-log', { knownCheckpoint: known })
      tell(options, report, (found) => [
        `${found.leaves} leaves and ${found.checkpoints} checkpoints of ${found.origin ?? 'no log'}.`,
        ...(found.waitingSince === null ||
        Date.parse(found.waitingSince) > Date.now() - minuteMilliseconds
          ? []
          : [
              `${found.waiting} events since ${found.waitingSince} are not in the log. A running node adds them; after a restore, start one and check again.`,
            ]),
        ...found.rootless.map(
          (size) =>
            `The key handover at ${size} leaves names no root. Trust in earlier leaves depends on the earlier key.`,
        ),
        ...found.witnesses.map(
          ({ key, cosigned, newest, isConfigured }) =>
            `${key} has cosigned ${cosigned} checkpoints, the newest of ${newest} leaves${isConfigured ? '' : '; LOG_WITNESSES does not list it'}.`,
        ),
        ...found.faults.map((fault) => `BROKEN ${fault}`),
        found.faults.length === 0
          ? `The log is valid${known === null ? '' : ' and extends the known checkpoint'}.`
          : `${found.faults.length} faults.`,
      ])
      if (report.faults.length > 0) end(1)
    })

  program
    .command('rebuild')
    .description('recompute derived tables')
    .command('market-points')
    .description('recompute the market points from the sealed observations, in a running node')
    .option('--organization <id>', 'only this organization')
    .addOption(json())
    .action(async (options) => {
      const input = { organizationId: options.organization ?? null }
      tell(options, await ask('rebuild.market-points', input), ({ venues }) => [
        `The days of ${venues} venues are due. A running node recomputes them, newest first, and starts within a minute.`,
      ])
    })
}

/** Commands that need no database and parse their own arguments. */
function addWorkOnFiles(program: Command, { terminal: { stdout, stderr }, end }: Line): void {
  program
    .command('replay')
    .description('replay a recorded pool without a server and count exact events (replay --help)')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(async (_options, command: Command) => {
      const { replayCommand } = await import('./replay/command.ts')
      end(await replayCommand({ args: command.args, stdout, stderr }))
    })

  program
    .command('study')
    .description('compare LP strategies on a recorded pool (study --help)')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(async (_options, command: Command) => {
      const { studyCommand } = await import('./study/command.ts')
      end(await studyCommand({ args: command.args, stdout, stderr }))
    })

  program
    .command('verify-report')
    .description('verify a signed study report offline (verify-report --help)')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(async (_options, command: Command) => {
      const { verifyReportCommand } = await import('./verify-report/command.ts')
      end(await verifyReportCommand({ args: command.args, stdout, stderr }))
    })

  program
    .command('passport')
    .description('create and sign the inputs of a passport (passport --help)')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(async (_options, command: Command) => {
      const { passportCommand } = await import('./passport/command.ts')
      end(await passportCommand({ args: command.args, stdout, stderr }))
    })

  program
    .command('witness')
    .description('cosign checkpoints of other proof logs (witness --help)')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(async (_options, command: Command) => {
      const { witnessCommand } = await import('./witness/command.ts')
      end(await witnessCommand({ args: command.args, stdout, stderr }))
    })

  program
    .command('release')
    .description('build, sign or verify a release of adapters (release --help)')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(async (_options, command: Command) => {
      const { releaseCommand } = await import('./release/command.ts')
      end(await releaseCommand({ args: command.args, stdout, stderr }))
    })
}

function migrated({ applied }: { applied: readonly string[] }): string[] {
  return applied.length === 0
    ? ['The schema is up to date.']
    : applied.map((name) => `Applied ${name}.`)
}

function environmentHelp(): string {
  const lines = Object.entries(variables).map(([name, variable]) => {
    const standard = variable.default ? `. Default: ${variable.default}` : ''
    return `  ${name.padEnd(20)} ${variable.expected}${standard}\n  ${' '.repeat(20)} e.g. ${name}=${variable.example}`
  })
  return `\nEnvironment:\n${lines.join('\n')}`
}

function firstSteps(): string {
  return `
First steps:
  liquidity serve                                       starts on http://127.0.0.1:8080, data in ./data
  liquidity org create "My token" --owner me@example.org
  liquidity session link me@example.org                 prints a link that signs you in
  liquidity replay datasets/v3-ens-weth-from-init       replays a recorded pool, no server needed
  liquidity study datasets/v3-ens-weth-from-init --spec docs/examples/launch.json
                                                        compares four ways to provide liquidity in it
  liquidity profile add main --url http://127.0.0.1:8080 --organization org_… < key.txt
  liquidity list venues                                 queries that deployment over HTTP; so do api and listen

The other commands reach a running service on the embedded database through its control socket in DATA_DIR.`
}
