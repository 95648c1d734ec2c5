import { installApiServer } from '../../src/cli/install.js';

// Tests and scripts call rooms below the entry points that install the kinds and plugins.
installApiServer();
