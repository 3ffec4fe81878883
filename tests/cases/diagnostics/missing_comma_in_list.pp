$packages = ['vim' 'git']
