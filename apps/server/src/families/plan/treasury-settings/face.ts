export { treasurySettingsOf } from './current-settings.ts'
