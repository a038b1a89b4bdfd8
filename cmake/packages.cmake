# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# `cpack` in the build directory makes Debian packages: iwarpscope (command line and daemon), iwarpscope-forward
# (delivery of its records), iwarpscope-centre (the store of many sensors), iwarpscope-gui (the dashboard) and
# iwarpscope-wireshark (the plugin, for the Wireshark it was built with). tests/packages installs and removes them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME iwarpscope)
set(CPACK_PACKAGE_VENDOR iwarpscope)
set(CPACK_PACKAGE_CONTACT "iwarpscope maintainers <iwarpscope@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
# Absolute paths as they are on the system: /etc, and the folder of Wireshark's plugins.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL iwarpscope forward centre)
if(IWARPSCOPE_GUI)
  list(APPEND CPACK_COMPONENTS_ALL dashboard)
endif()
if(TARGET iwarpscope_plugin)
  list(APPEND CPACK_COMPONENTS_ALL plugin)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_IWARPSCOPE_PACKAGE_NAME iwarpscope)
set(CPACK_COMPONENT_IWARPSCOPE_DESCRIPTION
    "iwarpscope analyses captures; iwarpscoped watches mirror ports for months and\nanswers questions by gRPC, with metrics, history and recordings.")
set(CPACK_DEBIAN_IWARPSCOPE_PACKAGE_DEPENDS passwd)
set(CPACK_DEBIAN_IWARPSCOPE_PACKAGE_SUGGESTS "iwarpscope-wireshark, prometheus")
set(CPACK_DEBIAN_IWARPSCOPE_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/cmake/debian/conffiles;${PROJECT_SOURCE_DIR}/cmake/debian/postinst;${PROJECT_SOURCE_DIR}/cmake/debian/prerm;${PROJECT_SOURCE_DIR}/cmake/debian/postrm)
set(CPACK_DEBIAN_IWARPSCOPE_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FORWARD_PACKAGE_NAME iwarpscope-forward)
set(CPACK_COMPONENT_FORWARD_DESCRIPTION
    "Delivery to the centre: what iwarpscoped on this machine found goes into a\ndatabase of PostgreSQL 15 or later, on another machine.")
set(CPACK_DEBIAN_FORWARD_PACKAGE_DEPENDS "passwd, iwarpscope (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_FORWARD_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/cmake/debian/forward/conffiles;${PROJECT_SOURCE_DIR}/cmake/debian/forward/postinst;${PROJECT_SOURCE_DIR}/cmake/debian/forward/prerm;${PROJECT_SOURCE_DIR}/cmake/debian/forward/postrm)
set(CPACK_DEBIAN_FORWARD_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_CENTRE_PACKAGE_NAME iwarpscope-centre)
set(CPACK_COMPONENT_CENTRE_DESCRIPTION
    "The centre: what many sensors found, in a database of PostgreSQL 15 or later.\nThe database may be on another machine.")
set(CPACK_DEBIAN_CENTRE_PACKAGE_DEPENDS passwd)
set(CPACK_DEBIAN_CENTRE_PACKAGE_SUGGESTS "postgresql, postgresql-client")
set(CPACK_DEBIAN_CENTRE_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/cmake/debian/centre/conffiles;${PROJECT_SOURCE_DIR}/cmake/debian/centre/postinst;${PROJECT_SOURCE_DIR}/cmake/debian/centre/prerm;${PROJECT_SOURCE_DIR}/cmake/debian/centre/postrm)
set(CPACK_DEBIAN_CENTRE_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_DASHBOARD_PACKAGE_NAME iwarpscope-gui)
set(CPACK_COMPONENT_DASHBOARD_DESCRIPTION
    "The dashboard: what queue pairs did and what went wrong, from captures or a\nrunning iwarpscoped.")
set(CPACK_DEBIAN_DASHBOARD_PACKAGE_DEPENDS "iwarpscope (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DASHBOARD_PACKAGE_RECOMMENDS libsecret-1-0) # opened at run time, for the keyring
set(CPACK_DEBIAN_DASHBOARD_PACKAGE_SUGGESTS wireshark)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_NAME iwarpscope-wireshark)
set(CPACK_COMPONENT_PLUGIN_DESCRIPTION
    "The analysis inside Wireshark and tshark, of the version it was built with:\nfindings and verdicts in each frame.")
include(CPack)
