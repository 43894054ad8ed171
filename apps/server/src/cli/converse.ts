import type { Config } from '../config.ts'
import type { Converse } from '../store/database/connect.ts'

/**
 * Serves CLI commands on the embedded database in-process. The first connection loads the commands.
 */
export function converseWith(config: Config): Converse {
  return (database, socket) => {
    void import('./administer.ts').then(({ answerCommands }) =>
      answerCommands(() => ({ database, config, now: Date.now() }))(socket),
    )
  }
}
