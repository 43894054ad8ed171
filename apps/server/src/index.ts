/** Exports for other packages of the repository: starting and administering the service. */

export { createOrganization, createSignInLink } from './access/administration.ts'
export { converseWith } from './cli/converse.ts'
export { passportCommand } from './cli/passport/command.ts'
export { progressBar } from './cli/replay/progress-bar.ts'
export { type Config, readConfig } from './config.ts'
export { openDatabase } from './context.ts'
export { type RunningService, startService, startWorkers, type Workers } from './service.ts'
export type { Database } from './store/database/database.ts'
export { verifyHistory } from './whole-history.ts'
